"""The rules that the rewriter knows, in a fixed order."""

from augmentors.rewording.rule import Rule
from augmentors.rewording.rules.chinese_clauses import RULES as CHINESE_CLAUSES
from augmentors.rewording.rules.chinese_words import RULES as CHINESE_WORDS
from augmentors.rewording.rules.english_clauses import RULES as ENGLISH_CLAUSES
from augmentors.rewording.rules.english_words import RULES as ENGLISH_WORDS

RULES: tuple[Rule, ...] = (*ENGLISH_CLAUSES, *ENGLISH_WORDS, *CHINESE_CLAUSES, *CHINESE_WORDS)
