import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { knowledge } from '../cli/program.ts'
import { isWhole } from '../support/tier.ts'
import { ADMIN, PASSWORD, PEOPLE, type Stage } from './stage.ts'
import { type Part, storiesOf } from './tiered-stories.ts'
import type { Visitor } from './visitor.ts'

const PATH = '/console/import'
const ENTRIES = '/api/knowledge/knowledge-entries'

/** Declares the stories of people who bring their files in. */
export function importStories(stage: Stage, part: Part): void {
  const { inGate, inRest } = storiesOf(part)
  interface Stored {
    readonly title: string
    readonly language: string
    readonly visibility: string
    readonly source_reference: string
    readonly category_path: readonly string[]
  }
  const storedAs = async (reference: string): Promise<Stored | null> => {
    const query = new URLSearchParams({ source_reference: reference, include_category_path: 'true' })
    return (await stage.service.call('GET', `${ENTRIES}?${query.toString()}`)).body[0] ?? null
  }
  const file = (name: string, text: string) => ({ name, mimeType: 'text/plain', buffer: Buffer.from(text) })
  const chooseFiles = ({ page }: Visitor, ...files: ReturnType<typeof file>[]) =>
    page.locator('input[type=file]').first().setInputFiles(files)
  const counted = ({ page }: Visitor) => page.locator('.import-count').allInnerTexts()
  const state = ({ page }: Visitor, name: string) => page.getByRole('heading', { level: 2, name }).waitFor()

  inGate(
    'a folder becomes categories and entries, as the command line would make them, and a second import changes nothing',
    async () => {
      const folder = join(mkdtempSync(join(tmpdir(), 'import-')), 'handbook-in-browser')
      const pages: Readonly<Record<string, string>> = {
        'en/_index.md': '# Start\n\nWelcome to the handbook, which tells everybody how we work here.',
        'en/printers/README.md': '---\ntitle: All printers\n---\nHow the printers in the house are used.',
        'en/printers/jam.md':
          '---\ntags: [paper]\nvisibility: public\n---\n# Paper jam\n\nOpen the cover of the printer.',
        'de/printers/jam.md': '# Papierstau\n\nÖffnen Sie die Klappe des Druckers und ziehen Sie das Papier heraus.',
        '.hidden/no.md': '# Not this',
        'en/picture.png': 'x',
      }
      for (const [path, text] of Object.entries(pages)) {
        mkdirSync(dirname(join(folder, path)), { recursive: true })
        writeFileSync(join(folder, path), text)
      }
      const visitor = await stage.visit()
      const { page } = visitor
      await visitor.signIn(PEOPLE.editor, PASSWORD)
      await visitor.navigate('Import')
      await page.locator('input[webkitdirectory]').setInputFiles(folder)
      await state(visitor, 'This is what would happen')
      assert.deepEqual(await counted(visitor), ['4 new'])
      await page.getByText('1 other file is left alone.').waitFor()
      assert.equal(await storedAs('handbook-in-browser/en/printers/jam.md'), null)
      await page.getByRole('button', { name: 'Import 4 entries' }).click()
      await state(visitor, 'The import is done.')
      const jam = await storedAs('handbook-in-browser/en/printers/jam.md')
      assert.deepEqual(
        [jam?.title, jam?.language, jam?.visibility, jam?.category_path],
        ['Paper jam', 'en', 'public', ['All printers']],
      )
      const german = await storedAs('handbook-in-browser/de/printers/jam.md')
      assert.deepEqual([german?.language, german?.category_path], ['de', ['All printers']])
      await page.getByRole('button', { name: 'Import more' }).click()
      await page.locator('input[webkitdirectory]').setInputFiles(folder)
      await page.getByText('Everything is here already, and nothing has changed.').waitFor()
      assert.deepEqual(await counted(visitor), ['4 unchanged'])
      if (isWhole) {
        const { stdout } = await knowledge(stage.service.place, ['import', folder, '--dry-run'])
        assert.match(stdout, /0 created, 0 updated, 4 unchanged/)
      }
      await visitor.assertSound('an import without changes')
      await visitor.close()
      rmSync(dirname(folder), { recursive: true })
    },
  )

  inRest(
    'a later import keeps the visibility that a person gave an entry in the service, unless one is chosen',
    async () => {
      const visitor = await stage.visit()
      const { page } = visitor
      await visitor.signIn(ADMIN, PASSWORD, PATH)
      const importIt = async (text: string): Promise<void> => {
        await chooseFiles(visitor, file('secret.md', text))
        await page.getByRole('button', { name: 'Import 1 entry' }).click()
        await state(visitor, 'The import is done.')
        await page.getByRole('button', { name: 'Import more' }).click()
      }
      await importIt('# Secret\n\nOne')
      const [{ id }] = (await stage.service.call('GET', `${ENTRIES}?source_reference=import/secret.md`)).body
      await stage.service.call('PATCH', `${ENTRIES}/${id}`, { body: { visibility: 'restricted' } })
      await importIt('# Secret\n\nTwo')
      assert.equal((await storedAs('import/secret.md'))?.visibility, 'restricted')
      await page.getByRole('button', { name: /Internal, or as they are/ }).click()
      await page.getByRole('option', { name: /Public/ }).click()
      await importIt('# Secret\n\nThree')
      assert.equal((await storedAs('import/secret.md'))?.visibility, 'public')
      await visitor.close()
    },
  )

  inRest('lines that cannot be imported say why, are downloaded, and follow once they are mended', async () => {
    const visitor = await stage.visit()
    const { page } = visitor
    await visitor.signIn(PEOPLE.editor, PASSWORD, PATH)
    const bad = '{"title": "", "content": "Text", "category": "From lines", "source_reference": "lines/bad"}'
    const good = '{"title": "Good", "content": "Text", "category": "From lines", "source_reference": "lines/good"}'
    await chooseFiles(
      visitor,
      file('many.jsonl', `${good}\nnot json\n\n${bad}\n`),
      file('broken.md', '---\ntitle: [\n---\nText'),
    )
    await state(visitor, 'This is what would happen')
    assert.deepEqual(await counted(visitor), ['1 new', '3 not possible'])
    await page.getByRole('row', { name: 'broken.md' }).getByText('not valid YAML').waitFor()
    await page.getByRole('row', { name: 'many.jsonl, line 2' }).getByText('not valid JSON').waitFor()
    await page.getByRole('row', { name: 'many.jsonl, line 4' }).getByText('title: Please fill in').waitFor()
    await page.getByRole('button', { name: 'Import 1 entry' }).click()
    await state(visitor, 'The import is done, but not everything could be imported.')
    const download = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Download these lines' }).click()
    const saved = await (await download).path()
    assert.equal(readFileSync(saved, 'utf8'), `not json\n${bad}\n`)
    await page.getByRole('button', { name: 'Import more' }).click()
    await chooseFiles(visitor, file('mended.jsonl', `${bad.replace('""', '"Mended"')}\n${good}`))
    await page.getByRole('button', { name: 'Import 1 entry' }).click()
    await state(visitor, 'The import is done.')
    assert.deepEqual(await counted(visitor), ['1 new', '1 unchanged'])
    assert.equal((await storedAs('lines/bad'))?.title, 'Mended')
    await visitor.close()
  })

  inRest(
    'an import that is cancelled keeps what is stored, goes on where it stopped, and stores nothing twice',
    async () => {
      const visitor = await stage.visit()
      const { page } = visitor
      await visitor.signIn(PEOPLE.editor, PASSWORD, PATH)
      const lines = Array.from({ length: 250 }, (_, i) =>
        JSON.stringify({ title: `Line ${i}`, content: 'Text', category: 'Long', source_reference: `long/${i}` }),
      )
      await chooseFiles(visitor, file('long.jsonl', lines.join('\n')))
      const start = page.getByRole('button', { name: 'Import 250 entries' })
      await start.waitFor()
      let sent = 0
      let isHeld = true
      await page.route('**/bulk?dry_run=false', async (route) => {
        sent += 1
        // The second batch reaches the service, but its answer does not reach the page.
        if (sent === 2 && isHeld) await route.fetch()
        else await route.continue()
      })
      await start.click()
      await page.locator('.import-count').getByText('100').waitFor()
      await page.getByRole('button', { name: 'Cancel import' }).click()
      await state(visitor, 'Cancelled. What is counted below is stored.')
      isHeld = false
      await page.getByRole('button', { name: 'Continue' }).click()
      await state(visitor, 'The import is done.')
      assert.deepEqual(await counted(visitor), ['150 new', '100 unchanged'])
      const all = await stage.service.call('GET', `${ENTRIES}?source=import&limit=1000`)
      const long = all.body.filter((each: Stored) => each.source_reference.startsWith('long/'))
      assert.equal(long.length, 250)
      await visitor.close()
    },
  )

  inRest('a service that does not answer stops an import with words, and it goes on afterwards', async () => {
    const visitor = await stage.visit()
    const { page } = visitor
    await visitor.signIn(PEOPLE.editor, PASSWORD, PATH)
    await page.route('**/bulk*', (route) => route.abort())
    await chooseFiles(visitor, file('away.md', '# Away\n\nText'))
    await page.getByRole('alert').waitFor()
    await page.unroute('**/bulk*')
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByRole('button', { name: 'Import 1 entry' }).click()
    await state(visitor, 'The import is done.')
    assert.deepEqual((await storedAs('import/away.md'))?.category_path, ['import'])
    await visitor.close()
  })

  inRest('a reader is told who may import', async () => {
    const visitor = await stage.visit()
    await visitor.signIn(PEOPLE.reader, PASSWORD, PATH)
    await visitor.page.getByText('You cannot import here.').waitFor()
    assert.equal(await visitor.page.getByRole('link', { name: 'Import', exact: true }).count(), 0)
    await visitor.close()
  })
}
