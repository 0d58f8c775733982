from sitemapaudit.items import Severity
from sitemapaudit.rules.needs import RENDERED
from sitemapaudit.rules.rule import QueryRule
from sitemapaudit.rules.sources import GOOGLE_JAVASCRIPT


class RenderScriptError(QueryRule):
    """Script of a listed page fails in the browser

    When: the page was rendered in the browser, and a script threw an exception that nothing caught.
    Messages that scripts log as errors do not count, and neither do the exceptions for images and
    fonts, which are not loaded. Nothing is reported if the browser was not allowed to load
    something that the page needs: by robots.txt, or because its address may not be contacted.

    Why: A script ends at such an error. What it should have added after it is missing, for search
    engines too.

    Fix: Open the page in a browser with its console, and correct the script.
    """

    severity = Severity.NOTICE
    message = "{errors} in the browser: {error}"
    cause = "have the script error {error}"
    references = (GOOGLE_JAVASCRIPT,)

    needs = (RENDERED,)
    query = """
        select url, count_noun(rendered_script_errors, 'script error') as errors,
            rendered_script_error as error
        from pages
        where rendered_script_errors > 0 and rendered_blocked_requests = 0
            and len(list_filter(
                rendered_failed, lambda each: contains(each, 'the host may not be contacted')
            )) = 0
    """
