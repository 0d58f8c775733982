"""One HTTP response: status, headers, redirects, decoding within limits."""
