import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { onAnyDatabase } from '../support/databases.ts'
import { databaseOf, entriesOf, folderOf, knowledge, start } from './program.ts'
import { until } from '../support/patience.ts'

/** Enough files that an interruption after the first batch comes before the last. */
const FILES = 1_000
const UNKNOWN = '00000000-0000-7000-8000-000000000000'

onAnyDatabase('knowledge import of JSON Lines', (kind) => {
  const at = databaseOf(kind)

  /** Returns the number of stored entries of these references; 0 while the schema is being made. */
  async function stored(prefix: string): Promise<number> {
    const query = at.database.queries
      .selectFrom('entries')
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .where('source_reference', 'like', `${prefix}%`)
    return query.executeTakeFirstOrThrow().then(
      (row) => row.count,
      () => 0,
    )
  }

  test('ctrl-C loses nothing stored, and a second run continues from there', async (t) => {
    const lines = Array.from({ length: 250 }, (_, i) =>
      JSON.stringify({ title: `Entry ${i}`, content: 'text', category: 'Stream', source_reference: `stream/${i}` }),
    )
    const { process: child, finished } = start(at.place, ['import', '-'])
    t.after(() => child.kill('SIGKILL'))
    // Two whole batches and half of a third; the program waits for more when it is interrupted.
    child.stdin!.write(`${lines.slice(0, 230).join('\n')}\n`)
    await until(async () => (await stored('stream/')) === 200, 'two batches were stored')
    child.kill('SIGINT')
    const interrupted = await finished
    assert.equal(interrupted.code, 130, interrupted.stderr)
    assert.match(interrupted.stdout, /^200 created/)
    assert.match(interrupted.stderr, /Run the same command again/)
    assert.equal(await stored('stream/'), 200)
    const resumed = await knowledge(at.place, ['import', '-'], { input: lines.join('\n') })
    assert.match(resumed.stdout, /^50 created, 0 updated, 200 unchanged/)
    assert.deepEqual([resumed.code, await stored('stream/')], [0, 250])
  })

  test('ctrl-C during the import of a folder finishes the running batch', async (t) => {
    const folder = folderOf(t, {})
    mkdirSync(join(folder, 'many'))
    for (let i = 0; i < FILES; i++) writeFileSync(join(folder, `many/${i}.md`), `# Page ${i}\n\n${'word '.repeat(50)}`)
    const { process: child, finished } = start(at.place, ['import', join(folder, 'many')])
    t.after(() => child.kill('SIGKILL'))
    await until(async () => (await stored('many/')) > 0, 'a batch was stored')
    child.kill('SIGINT')
    assert.equal((await finished).code, 130)
    const count = await stored('many/')
    assert.ok(count > 0 && count < FILES && count % 100 === 0, `${count} stored`)
    const resumed = await knowledge(at.place, ['import', join(folder, 'many')])
    assert.match(resumed.stdout, new RegExp(`^${FILES - count} created, 0 updated, ${count} unchanged`))
  })

  test('lines have the API’s fields, name categories by path, and are reported when bad', async (t) => {
    const lines = [
      '{"title":"One","content":"first","category":"A/B","type":"glossary","metadata":{"term":"one"},"tags":["x"]}',
      '{"title":"Two","content":"second","category":"A/B"}',
      '',
      '{"title":"Three"}',
      '{"title":"Four","content":"x","category":"A//B"}',
      '{"title":"Five","content":"x","category":"A","title":"again"}',
      '[1]',
      '{"title":"Six","content":"x","category":"A","type":"skill"}',
      `{"title":"","content":"x","category_id":"${UNKNOWN}","type":"skill"}`,
      `{"title":"Eight","content":"x","category_id":"${UNKNOWN}","type":"skill"}`,
    ]
    const folder = folderOf(t, { 'some.jsonl': lines.join('\n') })
    const path = join(folder, 'some.jsonl')
    const first = await knowledge(at.place, ['import', path, '--visibility', 'public'])
    assert.equal(first.code, 1)
    assert.match(first.stdout, /^2 created, 0 updated, 0 unchanged, 7 not imported/)
    for (const reason of [
      /line 4: content: Field required; category_id: Field required/,
      /line 5: category: a category has no name/,
      /line 6: Invalid JSON/,
      /line 7: it is not a JSON object/,
      /line 8: metadata\.steps: Field required/,
      /line 9: title: .*; category_id: Category does not exist; metadata\.steps: Field required/,
      /line 10: category_id: Category does not exist; metadata\.steps: Field required/,
    ]) {
      assert.match(first.stderr, reason)
    }
    const dry = await knowledge(at.place, ['import', path, '--dry-run'])
    assert.match(dry.stderr, /line 9: title: [^;]*; metadata\.steps: Field required/, 'a dry run makes no categories')
    const again = await knowledge(at.place, ['import', path, '--visibility', 'public'])
    assert.match(again.stdout, /^0 created, 0 updated, 2 unchanged/)
    const rows = (await entriesOf(at.database)).filter((row) => row.source_reference!.startsWith('sha256:'))
    assert.deepEqual(rows.map((row) => [row.title, row.visibility]).sort(), [
      ['One', 'public'],
      ['Two', 'public'],
    ])
    assert.equal(rows[0].category_id, rows[1].category_id)
  })

  test('a file of blank lines is given up after thousands, with a message that says so', async (t) => {
    const good = '{"title":"Good","content":"x","category":"Ends"}'
    const folder = folderOf(t, { 'ends.jsonl': `${good}${'\n'.repeat(50_000)}`, 'bad.jsonl': '{}\n'.repeat(50_000) })
    const ends = await knowledge(at.place, ['import', join(folder, 'ends.jsonl')])
    assert.equal(ends.code, 1)
    assert.match(ends.stdout, /^1 created/)
    assert.match(ends.stderr, /^\/\S+\/ends\.jsonl: More than 10000 lines, .* Nothing after line 1\d{4} was read$/m)
    const bad = await knowledge(at.place, ['import', join(folder, 'bad.jsonl')])
    assert.match(bad.stdout, /^0 created, 0 updated, 0 unchanged, 10100 not imported/)
    assert.match(bad.stderr, /^\/\S+\/bad\.jsonl: .* Nothing after line 10100 was read$/m)
  })
})
