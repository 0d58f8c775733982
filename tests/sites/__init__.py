"""Tiny websites: each is a folder that states what an audit of it must find.

site.toml   ``about`` describes the site. What an audit must find: ``status``
            (exit status), ``findings`` (rule → places), ``verdicts``
            (path → verdict), ``probes`` (number of random URLs fetched),
            ``fetched_again`` and ``never_fetched`` (paths). ``arguments``
            and ``settings`` of the audit. ``replies`` that a file cannot
            define (status, headers, delay, gzip).
the rest    served as it is, with ``{origin}`` replaced; / is index.html
"""
