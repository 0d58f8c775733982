"""From one URL to one response: requests, connections, addresses, proxies, staging and builds."""
