import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, test } from 'node:test'
import { Accounts } from './accounts.ts'
import { Journal } from './journal.ts'

describe('the accounts of clients beside the stored things', () => {
  let folder: string
  let journal: Journal
  let accounts: Accounts

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'knowledge-accounts-'))
    journal = new Journal(join(folder, 'journal.jsonl'))
    accounts = new Accounts('north-entry', journal)
  })
  afterEach(() => {
    journal.close()
    rmSync(folder, { recursive: true })
  })

  function created(): { name: string; id: string; mark: number } {
    const name = accounts.newName()
    const mark = accounts.begin(name)
    accounts.done(name, `id of ${name}`)
    return { name, id: `id of ${name}`, mark }
  }

  test('agree when everything acknowledged is there', () => {
    const [one, two] = [created(), created()]
    accounts.settle([one, two])
    accounts.compare(
      new Map([
        [one.id, 1],
        [two.id, 1],
      ]),
    )
  })

  test('disagree when an acknowledged write is gone, or is there as it was before', () => {
    const one = created()
    assert.throws(() => accounts.settle([]), /north-entry-0 is not as it was acknowledged/)
    const mark = accounts.begin(one.name)
    accounts.done(one.name, one.id)
    assert.throws(() => accounts.settle([one]), /is not as it was acknowledged/)
    accounts.settle([{ ...one, mark }])
  })

  test('disagree with things that no client asked for, and with things that are there twice', () => {
    const one = created()
    assert.throws(
      () => accounts.settle([one, { ...one, name: 'south-entry-0' }]),
      /south-entry-0 is there, though nobody of north-entry asked for it/,
    )
    assert.throws(() => accounts.settle([one, one]), /north-entry-0 is there twice/)
  })

  test('disagree when what was removed is there again', () => {
    const one = created()
    accounts.begin(one.name, true)
    accounts.done(one.name, one.id)
    assert.throws(() => accounts.settle([one]), /is not as it was acknowledged/)
  })

  test('learn from what is stored how a write without an answer ended, and hold to it', () => {
    const one = created()
    const mark = accounts.begin(one.name)
    accounts.settle([{ ...one, mark }])
    accounts.compare(new Map([[one.id, 2]]))
    assert.throws(() => accounts.settle([one]), /is not as it was acknowledged/)
    accounts.begin(one.name, true)
    accounts.settle([{ ...one, mark }])
    accounts.compare(new Map([[one.id, 2]]))
  })

  test('disagree with an audit log that has a record too few, too many or of nothing', () => {
    const one = created()
    for (const records of [
      [],
      [[one.id, 2]],
      [
        [one.id, 1],
        ['another', 1],
      ],
    ] as [string, number][][]) {
      assert.throws(() => accounts.compare(new Map(records)), /one audit record for each write/)
    }
  })

  test('are in a file, each request before its answer', () => {
    const one = created()
    const lines = readFileSync(journal.path, 'utf8').trimEnd().split('\n')
    const events = lines.map((line) => JSON.parse(line) as Record<string, unknown>)
    assert.deepEqual(
      events.map(({ asked, acknowledged, mark }) => ({ asked, acknowledged, mark })),
      [
        { asked: one.name, acknowledged: undefined, mark: one.mark },
        { asked: undefined, acknowledged: one.name, mark: one.mark },
      ],
    )
  })
})
