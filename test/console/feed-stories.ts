import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { knowledge } from '../cli/program.ts'
import { PASSWORD, PEOPLE, type Stage } from './stage.ts'
import { type Part, storiesOf } from './tiered-stories.ts'
import { LOOKS, type Visitor } from './visitor.ts'
import { found } from '../support/patience.ts'

const PATH = '/console/import?what=products'
const XML = `<?xml version="1.0"?><rss xmlns:g="http://base.google.com/ns/1.0"><channel>
<item><g:id>x-1</g:id><title>Lamp</title><g:price>9.90 EUR</g:price></item>
<item><g:id>x-2</g:id><title></title></item></channel></rss>`

/** Declares the stories of people who bring the products of a shop in, without a shell. */
export function feedStories(stage: Stage, part: Part): void {
  const { inGate, inRest } = storiesOf(part)
  const file = (name: string, content: string | Buffer) => ({
    name,
    mimeType: 'text/plain',
    buffer: Buffer.from(content),
  })
  const choose = ({ page }: Visitor, each: ReturnType<typeof file>) =>
    page.locator('input[type=file]:not([webkitdirectory])').first().setInputFiles(each)
  const counted = ({ page }: Visitor) => page.locator('.import-count').allInnerTexts()
  const state = ({ page }: Visitor, name: string) => page.getByRole('heading', { level: 2, name }).waitFor()
  const site = async (slug: string): Promise<string> => {
    const createdSite = await stage.service.call('POST', '/api/knowledge/sites', {
      body: { slug, name: `Shop ${slug}`, language: 'de' },
    })
    return createdSite.body.id
  }
  const visitSite = async (slug: string): Promise<Visitor> => {
    const visitor = await stage.visit()
    await visitor.signIn(PEOPLE.editor, PASSWORD, PATH)
    await chooseSite(visitor, slug)
    return visitor
  }
  const chooseSite = async ({ page }: Visitor, slug: string): Promise<void> => {
    await page.locator('.site-choice button').click()
    await page.getByRole('option', { name: `Shop ${slug}` }).click()
  }
  const chooseFull = async ({ page }: Visitor): Promise<void> => {
    await page.getByRole('button', { name: /Some products/ }).click()
    await page.getByRole('option', { name: /All products/ }).click()
  }
  const productsOf = async (siteId: string) =>
    (await stage.service.call('GET', `/api/knowledge/products?site_id=${siteId}&limit=100`)).body as {
      external_id: string
      title: string
      price_current: string | null
      language: string
    }[]

  inRest(
    'a table of products becomes the same products as on the command line, and the second time nothing changes',
    async () => {
      const id = await site('table')
      const visitor = await visitSite('table')
      const { page } = visitor
      const table =
        'Artikelnummer;Bezeichnung;Preis;EAN;Farbe\n7;Bohrer, groß;"1.299,00 €";4006381333931;rot\n8;Säge;5,- €;;\n'
      const latin = Buffer.from(table.replace('€', 'EUR').replace('€', 'EUR'), 'latin1')
      await choose(visitor, file('shop.csv', latin))
      await page.getByText('The file has another encoding.').waitFor()
      await page.getByRole('button', { name: 'Choose another file' }).click()
      await chooseSite(visitor, 'table')
      await page.getByRole('button', { name: /UTF-8/ }).click()
      await page.getByRole('option', { name: /Windows/ }).click()
      await choose(visitor, file('shop.csv', latin))
      await state(visitor, 'This is what would happen')
      assert.deepEqual(await counted(visitor), ['2 new'])
      assert.deepEqual(await productsOf(id), [])
      await page.getByRole('button', { name: 'Import 2 products' }).click()
      await state(visitor, 'The import is done.')
      const seven = (await productsOf(id)).find(({ external_id: name }) => name === '7')
      assert.deepEqual([seven?.title, seven?.price_current, seven?.language], ['Bohrer, groß', '1299.00', 'de'])
      const folder = mkdtempSync(join(tmpdir(), 'feed-'))
      writeFileSync(join(folder, 'shop.csv'), latin)
      const { stdout } = await knowledge(stage.service.place, [
        'import-products',
        join(folder, 'shop.csv'),
        '--site=table',
        '--encoding=windows-1252',
        '--full',
        '--dry-run',
      ])
      assert.match(stdout, /0 created, 0 updated, 2 unchanged/)
      rmSync(folder, { recursive: true })
      await visitor.assertSound('a feed that was imported')
      await page.getByRole('link', { name: 'Show sync runs' }).click()
      await visitor.heading('Sync runs')
      await page.getByRole('row', { name: /Ed Editor.*Finished.*2 new/ }).waitFor()
      await visitor.close()
    },
  )

  inGate('all products of a shop: what a file lacks goes only after a question that says how much it is', async () => {
    const id = await site('whole')
    const lines = (names: readonly string[]) => names.map((name) => JSON.stringify({ id: name, title: `P ${name}` }))
    const visitor = await visitSite('whole')
    const { page } = visitor
    await choose(visitor, file('all.jsonl', lines(['a', 'b', 'c', 'd']).join('\n')))
    await page.getByRole('button', { name: 'Import 4 products' }).click()
    await state(visitor, 'The import is done.')
    await page.getByRole('button', { name: 'Import more' }).click()
    await chooseSite(visitor, 'whole')
    await chooseFull(visitor)
    await page.getByText('Also retires the products').first().waitFor()

    // An unreadable product may be any of them, so no product is retired.
    await choose(visitor, file('bad.jsonl', `${lines(['a']).join('\n')}\nnot json\n`))
    await page.getByText('Some products cannot be read and may be any of the site').waitFor()
    assert.equal(await page.getByRole('button', { name: /^Import/ }).count(), 0)
    await page.getByRole('button', { name: 'Choose another file' }).click()

    // None is retired either when the file was cut off.
    await chooseSite(visitor, 'whole')
    await chooseFull(visitor)
    await choose(visitor, file('cut.json', '[{"id": "a", "title": "P a"}, {"id": "b"'))
    await page.getByText('Nothing is retired, since the rest is missing.').waitFor()
    await page.getByRole('button', { name: 'Choose another file' }).click()

    await chooseSite(visitor, 'whole')
    await chooseFull(visitor)
    await choose(visitor, file('less.jsonl.gz', gzipSync(lines(['a', 'e']).join('\n'))))
    await page.getByText('3 products of earlier files are not in this one.').waitFor()
    await page.getByText('b, c, d').waitFor()
    await visitor.assertSound('what a full sync would do')
    await page.getByRole('button', { name: 'Import 1 product' }).click()
    await page.getByRole('alertdialog', { name: 'Retire 3 products?' }).waitFor()
    await page.getByRole('button', { name: 'Cancel' }).click()
    assert.equal((await productsOf(id)).length, 4)
    await page.getByRole('button', { name: 'Import 1 product' }).click()
    await page.getByRole('button', { name: 'Import and retire' }).click()
    await state(visitor, 'The import is done.')
    assert.deepEqual(await counted(visitor), ['1 new', '1 unchanged', '3 retired'])
    assert.deepEqual((await productsOf(id)).map(({ external_id: name }) => name).toSorted(), ['a', 'e'])
    await visitor.close()
  })

  inRest('products that cannot be imported are named by their place, downloaded, mended and imported', async () => {
    const id = await site('faults')
    const visitor = await visitSite('faults')
    const { page } = visitor
    await choose(visitor, file('google.xml', XML))
    await state(visitor, 'This is what would happen')
    assert.deepEqual(await counted(visitor), ['1 new', '1 not possible'])
    await page.getByRole('row', { name: 'google.xml, product 2' }).getByText('title').waitFor()
    const download = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Download these lines' }).click()
    const saved = JSON.parse(readFileSync(await (await download).path(), 'utf8'))
    assert.equal(saved.external_id, 'x-2')
    await page.getByRole('button', { name: 'Import 1 product' }).click()
    await state(visitor, 'The import is done, but not everything could be imported.')
    await page.getByRole('button', { name: 'Import more' }).click()
    await chooseSite(visitor, 'faults')
    await choose(visitor, file('rest.jsonl', JSON.stringify({ ...saved, title: 'Shade' })))
    await page.getByRole('button', { name: 'Import 1 product' }).click()
    await state(visitor, 'The import is done.')
    assert.deepEqual((await productsOf(id)).map(({ title }) => title).toSorted(), ['Lamp', 'Shade'])
    await page.getByRole('button', { name: 'Import more' }).click()
    await choose(visitor, file('lines.csv', 'id,title\n1,One\n\n2,\n'))
    await page.getByRole('row', { name: 'lines.csv, line 4' }).waitFor()
    await visitor.close()
  })

  inRest(
    '10,000 products are read beside the page; an import that is cancelled keeps what is stored, and goes on',
    async () => {
      const id = await site('large')
      const visitor = await visitSite('large')
      const { page } = visitor
      const rows = Array.from({ length: 10_000 }, (_, i) => `p-${i},Product ${i} of the large shop,${i % 90}.90 EUR`)
      const inThread = page.waitForEvent('worker')
      await choose(visitor, file('large.csv', `id,title,price\n${rows.join('\n')}\n`))
      await inThread
      await page.getByRole('button', { name: 'Import 10,000 products' }).click()
      const newest = (isMet: (run: { created: number; unchanged: number; status: string }) => boolean) =>
        found(async () => {
          const { body } = await stage.service.call('GET', `/api/knowledge/sites/${id}/sync-runs`)
          return body[0] !== undefined && isMet(body[0]) ? body[0] : null
        }, 'the run is as wanted')
      await newest(({ created }) => created > 0)
      await page.getByRole('button', { name: 'Cancel import' }).click()
      await state(visitor, 'Cancelled. What was stored until then stays; nothing was retired.')
      const first = await newest(({ status }) => status === 'broken_off')
      await page.getByRole('button', { name: 'Continue' }).click()
      const done = page.getByRole('heading', { level: 2, name: 'The import is done.' })
      await done.waitFor()
      const second = await newest(({ status }) => status === 'finished')
      assert.ok(second.unchanged >= first.created && first.created > 0)
      assert.equal(second.created + second.unchanged, 10_000)
      await visitor.close()
    },
  )

  inRest('a narrow German page imports a feed', async () => {
    const visitor = await stage.visit(LOOKS[1])
    await visitor.signIn(PEOPLE.editor, PASSWORD, PATH)
    await choose(visitor, file('a.csv', 'id,title\nnarrow,\n'))
    await state(visitor, 'Das würde geschehen')
    await visitor.assertSound('a feed on a phone in German')
    await visitor.close()
  })
}
