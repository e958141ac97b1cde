import type { GetPromptResult, ListPromptsResult, Prompt } from '@modelcontextprotocol/server'
import type { Caller } from '../../platform/access/caller.ts'
import type { Entry } from '../../knowledge/entries/contract.ts'
import { PROMPT_TYPES } from '../../knowledge/entries/prompts/offer.ts'
import type { EntryPrompt, PromptRules } from '../../knowledge/entries/prompts/rules.ts'
import { decodeCursor, encodeCursor } from '../../platform/contract/paging.ts'
import { invalid, notFound } from '../../platform/faults.ts'
import { excerpt, pageOfText } from './budget.ts'
import { entryUri, titleOf } from './entry-view.ts'
import { metadataOf, RESOURCE_CHARACTERS_MAX } from './markdown.ts'

const PAGE = 50
const DESCRIPTION_CHARACTERS = 300
const AUTHOR_CHARACTERS = 60
const SLUG_CHARACTERS = 40
const NAME = /^(?:[a-z0-9-]*-)?([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})$/
const TASK_CHARACTERS_MAX = 20_000

/** Offers bootstrap and skill entries as prompts, each with the name of its author. */
export class EntryPrompts {
  readonly #rules: PromptRules

  constructor(rules: PromptRules) {
    this.#rules = rules
  }

  /** Lists bootstrap entries, then skills, each newest first, a page at a time. */
  async list(caller: Caller, cursor: string | undefined): Promise<ListPromptsResult> {
    const prompts: Prompt[] = []
    let { stage, after } = placeOf(cursor)
    while (stage < PROMPT_TYPES.length) {
      const page = { limit: PAGE - prompts.length, after }
      const { prompts: offered, next } = await this.#rules.list(caller, PROMPT_TYPES[stage], page)
      prompts.push(...offered.map(promptOf))
      if (next !== null) return { prompts, nextCursor: encodeCursor([stage, next.createdAt, next.id]) }
      stage += 1
      after = null
      if (prompts.length >= PAGE && stage < PROMPT_TYPES.length)
        return { prompts, nextCursor: encodeCursor([stage, -1, '']) }
    }
    return { prompts }
  }

  /** Returns a prompt with its arguments. @throws Fault not_found when the caller sees no prompt of that name */
  async get(caller: Caller, name: string, values: Readonly<Record<string, string>>): Promise<GetPromptResult> {
    const id = NAME.exec(name)?.[1]
    if (id === undefined) throw notFound(['path', 'name'], 'Prompt')
    const prompt = await this.#rules.read(caller, id)
    const task = prompt.entry.type === 'skill' ? (values.task ?? '') : ''
    if (task.length > TASK_CHARACTERS_MAX) {
      throw invalid(['body', 'task'], 'string_too_long', `String should have at most ${TASK_CHARACTERS_MAX} characters`)
    }
    return {
      description: descriptionOf(prompt),
      messages: [{ role: 'user', content: { type: 'text', text: promptText(prompt, task) } }],
    }
  }
}

function placeOf(cursor: string | undefined): { stage: number; after: { createdAt: number; id: string } | null } {
  if (cursor === undefined) return { stage: 0, after: null }
  const [stage, createdAt, id] = decodeCursor(cursor, ['integer', 'integer', 'string'])
  return { stage: Math.max(0, stage), after: createdAt < 0 ? null : { createdAt, id } }
}

function promptOf(prompt: EntryPrompt): Prompt {
  const { entry } = prompt
  return {
    name: promptName(entry),
    title: titleOf(entry.title),
    description: descriptionOf(prompt),
    ...(entry.type === 'skill'
      ? { arguments: [{ name: 'task', description: 'What to apply the skill to', required: false }] }
      : {}),
  }
}

/**
 * Returns the slug of the title, then the id. People recognise the slug; by the id the name still works after the title
 * changes, and two entries with the same title have different names.
 */
export function promptName({ title, id }: Pick<Entry, 'title' | 'id'>): string {
  const words = title
    .replaceAll('ß', 'ss')
    .replaceAll(/[äöüÄÖÜ]/g, (letter) => `${letter}e`)
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
  const slug = words.slice(0, SLUG_CHARACTERS).replaceAll(/^-+|-+$/g, '')
  return slug === '' ? id : `${slug}-${id}`
}

function descriptionOf({ entry, author }: EntryPrompt): string {
  const { trigger } = entry.metadata
  const text = entry.summary || (typeof trigger === 'string' && trigger !== '' ? trigger : entry.content)
  return `By ${nameOf(author)}: ${excerpt(text, DESCRIPTION_CHARACTERS)}`
}

/** Returns the author's name on one line. */
function nameOf(author: string | null): string {
  return author === null ? 'a program' : excerpt(author, AUTHOR_CHARACTERS)
}

function promptText({ entry, author }: EntryPrompt, task: string): string {
  const { part, next } = pageOfText(entry.content, 0, RESOURCE_CHARACTERS_MAX)
  return [
    `From the organisation’s knowledge, written by ${nameOf(author)}, changed ${entry.updated_at.slice(0, 10)}:`,
    `# ${entry.title}`,
    part,
    ...(next === null ? [] : [`[The rest: ${entryUri(entry.id)}?offset=${next}]`]),
    ...(entry.type === 'skill' ? metadataOf(entry) : []),
    ...(task === '' ? [] : ['## Task', task]),
  ].join('\n\n')
}
