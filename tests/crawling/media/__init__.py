"""Images and videos of real websites, checked by real audits."""
