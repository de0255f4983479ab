"""What a part of a page lacks of the same part in its page, and the other way round: the boxes of question marks."""

from __future__ import annotations

import re


def without_boxes(part: str) -> str:
    """A part that was rendered by itself as it stands in its page, which has the boxes at its end."""
    bare = re.sub(r'<span class="explained".*?How it is computed</a></span>\s*', "", part, flags=re.DOTALL)
    return re.sub(r'(popovertarget="how-[a-z0-9-]+?)-\d+"', r'\1"', bare)
