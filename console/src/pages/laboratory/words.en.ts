import type { Missing, Mode } from './queries.ts'
import type { View } from './asked.ts'

const modes: Readonly<Record<Mode, { name: string; help: string }>> = {
  hybrid: { name: 'Meaning and words', help: 'What people get when they search' },
  semantic: { name: 'Meaning alone', help: 'Finds other words for the same thing' },
  keyword: { name: 'Words alone', help: 'Finds exactly these words and their forms' },
}

const views: Readonly<Record<View, string>> = {
  reader: 'Reader',
  editor: 'Editor',
  public: 'Public only',
  community: 'Up to community',
  internal: 'Up to internal',
  workspace: 'Up to workspaces',
}

const reasons: Readonly<Record<Missing['reason'], string>> = {
  found: 'It is found.',
  outside_first_1000: 'It is found, but only after the first 1,000 results.',
  not_visible: 'The person you look as may not see it.',
  expired: 'It has expired.',
  filtered: 'The filters leave it out.',
  hidden_by_rule: 'A rule of the site hides it.',
  variant_policy: 'Your shop shows the variants in its place.',
  not_embedded: 'Its meaning has not been computed yet, and none of its words match. Try again in a few minutes.',
  no_words: 'It has none of the words you searched for.',
  others_match_better: 'It has too few of the words, and its meaning is too far from the search.',
  below_relevance: 'It is not relevant enough for the limit you set.',
  unknown: 'The search does not know it yet. Try again in a few minutes.',
}

export const words = {
  title: 'Search laboratory',
  intro: 'Try a search in three ways at once, see what decided, and find out why something is missing.',
  forbidden: 'Only administrators can use the search laboratory.',
  forbiddenHelp: 'Ask an administrator of your organisation.',
  query: 'Search for',
  ask: 'Search',
  section: 'In',
  sections: { knowledge: 'Knowledge', products: 'Products' },
  view: 'Look as',
  self: 'Yourself',
  views,
  language: 'Language',
  anyLanguage: 'All languages',
  relevance: 'Relevance',
  anyRelevance: 'Show everything',
  relevances: { '0.2': 'Leave out chance hits', '0.5': 'Only clearly relevant' },
  set: 'Judge for',
  noSet: 'Do not judge',
  start: 'Search for something your people ask.',
  startHelp: 'You see the results by meaning, by words and by both, next to each other.',
  modes,
  results: (total: string, ms: string) => `${total} found, ${ms} ms`,
  nothing: 'Nothing found in this way.',
  degraded: 'The embedding service does not answer, so only words were compared.',
  relevant: (percent: string) => `${percent} relevant`,
  parts: { meaning: 'Meaning', words: 'Words', other: 'Extra' },
  extraHelp: 'Extra: an exact title or number, all words, clicks and rules of a site',
  bar: (meaning: string, wordsPart: string, other: string) =>
    `Score: meaning ${meaning}, words ${wordsPart}, extra ${other}`,
  details: 'Details',
  score: 'Score',
  similarity: 'Similarity',
  matchedWords: 'Matched words',
  typedAs: (term: string, typed: string) => `${term} (for ${typed})`,
  passage: 'Nearest passage',
  judge: (title: string) => `Judge “${title}”`,
  grades: { 2: 'Right', 1: 'So-so', 0: 'Wrong' },
  notSaved: 'The judgment was not saved. Try again.',
  judgedSets: 'Judged sets',
  missing: 'Is something missing?',
  why: {
    title: 'Why is something not here?',
    help: 'Enter a title, or paste the address or ID of the entry or product.',
    field: 'Missing entry or product',
    mode: 'In',
    ask: 'Find out',
    choose: 'Which one do you mean?',
    none: 'Nothing has a title like this, or you may not see it.',
    unknown: 'There is no such entry or product, or you may not see it.',
    reasons,
    rank: (rank: string) => `It is result number ${rank}.`,
    level: (level: string) => `It is for: ${level}`,
    since: (when: string) => `Since ${when}`,
    itsRelevance: (percent: string) => `It is ${percent} relevant.`,
    rules: (names: string) => `The rule: ${names}`,
    open: 'Open the entry',
  },
}

export type LaboratoryWords = typeof words
