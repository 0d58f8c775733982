"""Tiny websites, each a folder that states what an audit of it must find.

site.toml   what it shows, and what must be found: ``status`` (exit status),
            ``findings`` (rule → places), ``verdicts`` (path → verdict);
            ``arguments`` and ``settings`` of the audit; ``replies`` that
            no file can give (status, headers, gzip)
the rest    served as it stands, ``{origin}`` filled in; / is index.html
"""
