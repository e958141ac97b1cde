import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Scope } from '../../../platform/access/scopes.ts'
import type { EntryRow } from '../../../platform/database/tables.ts'
import { isOfferedTo, offerOfChanged, offerOfNew } from './offer.ts'

const caller = (userId: string | null, ...scopes: Scope[]) => ({ userId, scopes: new Set<Scope>(scopes) })
const ADMIN = caller('ada', 'knowledge:write', 'knowledge:prompts')
const EDITOR = caller('ed', 'knowledge:write')
const READER = caller('rita')
const KEY = caller(null, 'knowledge:write')

const row = (changes: Partial<EntryRow> = {}): EntryRow =>
  ({
    type: 'skill',
    title: 'T',
    summary: null,
    content: 'C',
    metadata: '{"steps":["a"],"tools":[]}',
    ...changes,
  }) as EntryRow

test('a new prompt is offered to others only by a caller with the scope, else to its author alone', () => {
  const offered = offerOfNew(ADMIN, 'bootstrap')
  for (const who of [ADMIN, EDITOR, READER, KEY]) assert.ok(isOfferedTo(who, offered))
  const own = offerOfNew(EDITOR, 'skill')
  assert.deepEqual(
    [ADMIN, EDITOR, READER, KEY].map((who) => isOfferedTo(who, own)),
    [false, true, false, false],
  )
  const nobodys = offerOfNew(KEY, 'skill')
  assert.deepEqual(
    [ADMIN, EDITOR, READER, KEY].map((who) => isOfferedTo(who, nobodys)),
    [false, false, false, false],
  )
})

test('who corrects an offered prompt without writing its content does not become its author', () => {
  const before = row(offerOfNew(ADMIN, 'skill'))
  const other = caller('otto', 'knowledge:write', 'knowledge:prompts')
  const change = (patch: Partial<EntryRow>) => offerOfChanged(other, before, { ...before, ...patch }, patch)
  for (const patch of [{ title: 'U' }, { summary: 'S' }, { metadata: '{"steps":["b"]}' }, { title: 'U', content: 'C' }])
    assert.deepEqual(change(patch), { prompts_others: 1, prompt_author_id: 'ada' }, JSON.stringify(patch))
  assert.deepEqual(change({ title: 'U', content: 'D' }), { prompts_others: 1, prompt_author_id: 'otto' })
})

test('a changed text withdraws the offer unless the writer may offer, and other fields leave it', () => {
  const before = row(offerOfNew(ADMIN, 'skill'))
  const change = (who: typeof ADMIN, patch: Partial<EntryRow>, from = before) =>
    offerOfChanged(who, from, { ...from, ...patch }, patch)
  assert.deepEqual(change(EDITOR, { tags: '["x"]', visibility: 'public' }), {
    prompts_others: 1,
    prompt_author_id: 'ada',
  })
  assert.deepEqual(change(EDITOR, { content: 'C', metadata: '{"tools":[],"steps":["a"]}' }), {
    prompts_others: 1,
    prompt_author_id: 'ada',
  })
  for (const patch of [{ title: 'U' }, { summary: 'S' }, { content: 'D' }, { metadata: '{"steps":["b"]}' }]) {
    const taken = change(EDITOR, patch)
    assert.deepEqual(taken, { prompts_others: 0, prompt_author_id: 'ed' }, JSON.stringify(patch))
    const edited = { ...before, ...patch, ...taken }
    assert.equal(isOfferedTo(ADMIN, taken), false)
    // An administrator who moves the entry or corrects its title has not read it; one who writes the text answers for it.
    for (const part of [{ visibility: 'public' }, { title: 'V' }, { summary: 'Z' }, { metadata: '{"steps":["c"]}' }])
      assert.deepEqual(change(ADMIN, part as Partial<EntryRow>, edited), taken)
    // To send the content as it is offers it, and makes nobody else its author.
    for (const part of [{}, { title: 'V' }, { summary: 'Z' }, { metadata: '{"steps":["c"]}' }])
      assert.deepEqual(change(ADMIN, { ...part, content: edited.content }, edited), {
        prompts_others: 1,
        prompt_author_id: 'ed',
      })
    assert.deepEqual(change(ADMIN, { content: 'E' }, edited), { prompts_others: 1, prompt_author_id: 'ada' })
  }
  const other = row({ type: 'knowledge', prompts_others: 1, prompt_author_id: null })
  assert.deepEqual(change(EDITOR, { content: 'D' }, other), { prompts_others: 1, prompt_author_id: null })
})
