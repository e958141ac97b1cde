import assert from 'node:assert/strict'
import { rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { onAnyDatabase } from '../support/databases.ts'
import { databaseOf, entriesOf, folderOf, knowledge, spawned } from './program.ts'

/** Returns the standard error of a command, without the lines of progress that a slow machine adds. */
function complaintsIn({ stderr }: { readonly stderr: string }): string {
  return stderr.replaceAll(/^(?:Importing|Computing vectors) \d.*\n/gm, '')
}

onAnyDatabase('knowledge import of a folder', (kind) => {
  const at = databaseOf(kind)

  async function referencesOf(prefix: string) {
    const rows = await entriesOf(at.database)
    return rows.filter((row) => row.source_reference!.startsWith(prefix))
  }

  async function categoryPath(id: string | null): Promise<string[]> {
    if (id === null) return []
    const row = await at.database.queries
      .selectFrom('categories')
      .select(['name', 'parent_id'])
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    return [...(await categoryPath(row.parent_id)), row.name]
  }

  test('folders become categories, and files give language, title and translations', async (t) => {
    const folder = folderOf(t, {
      'manual/de/docs/_index.md': '---\ntitle: Willkommen\n---\n',
      'manual/de/docs/setup/install.md':
        '---\ntitle: Installieren\ntags: [linux, docker, linux]\ndescription: Wie es auf den Rechner kommt\n' +
        'visibility: public\nlayer: L2\nkeywords: setup, aufsetzen\nweight: 3\nmetadata: {owner: ops}\n---\n# Ein\n\nText.\n',
      'manual/en/docs/setup/install.md': '# Install it\n\nText with <!-- a comment --> and {{< note >}}.\n',
      'manual/en/docs/setup/deep/plain.md': 'No heading here.\n',
      'manual/en/docs/.hidden.md': 'hidden',
      'manual/en/docs/picture.png': 'PNG',
    })
    const done = await spawned(at.place, ['import', 'manual'], { cwd: folder })
    assert.equal(done.code, 0)
    assert.equal(
      done.stdout.replace(/, in .*/, ''),
      '4 created, 0 updated, 0 unchanged\nLanguages: 2 de, 2 en\nIgnored: 1 image\n',
    )
    const [welcome, german, plain, english] = await referencesOf('manual/')
    assert.deepEqual(
      [welcome, german, plain, english].map((row) => [row.source_reference, row.title, row.language]),
      [
        ['manual/de/docs/_index.md', 'Willkommen', 'de'],
        ['manual/de/docs/setup/install.md', 'Installieren', 'de'],
        ['manual/en/docs/setup/deep/plain.md', 'plain', 'en'],
        ['manual/en/docs/setup/install.md', 'Install it', 'en'],
      ],
    )
    assert.equal(welcome.content, 'Willkommen')
    assert.equal(english.content, '# Install it\n\nText with <!-- a comment --> and {{< note >}}.\n')
    assert.equal(german.translation_group_id, english.translation_group_id)
    assert.notEqual(welcome.translation_group_id, english.translation_group_id)
    assert.deepEqual(
      [german.tags, german.summary, german.visibility, german.layer, german.search_keywords, german.metadata],
      [
        '["linux","docker"]',
        'Wie es auf den Rechner kommt',
        'public',
        'L2',
        '["setup","aufsetzen"]',
        '{"owner":"ops"}',
      ],
    )
    assert.deepEqual([english.visibility, english.source, english.created_by_user_id], ['internal', 'import', null])
    assert.deepEqual(await categoryPath(welcome.category_id), ['Willkommen'])
    assert.deepEqual(await categoryPath(english.category_id), ['setup'])
    assert.deepEqual(await categoryPath(plain.category_id), ['setup', 'deep'])
    assert.ok([welcome, german, plain, english].every((row) => row.embedding_model !== null))
    const audit = await at.database.queries
      .selectFrom('audit_log')
      .select(['source', 'credential_id', 'action'])
      .where('resource_id', '=', english.id)
      .execute()
    assert.deepEqual(audit, [{ source: 'cli', credential_id: null, action: 'create' }])
  })

  const ENGLISH =
    'Whoever is new here asks the people of this department for what they need. They answer with a form that has to ' +
    'be filled in before anything else can happen, and you get what you asked for when it has been signed by them.'
  const GERMAN =
    'Wer neu ist, fragt die Kollegen dieser Abteilung nach dem, was er braucht. Sie antworten mit einem Formular, das ' +
    'ausgefüllt werden muss, bevor etwas geschieht, und man bekommt es, wenn es von ihnen unterschrieben ist.'

  test('departments named like languages stay categories, whatever --language says', async (t) => {
    const folder = folderOf(t, {
      'firm/hr/leave.md': ENGLISH,
      'firm/it/printers.md': ENGLISH,
      'firm/it/stampanti.md': '---\nlang: it\n---\nOtto stampanti',
      'firm/it/logo.svg': '<svg/>',
      'firm/it/old.HTM': 'old',
      'firm/it/plan.pdf': 'PDF',
      'firm/it/run.sh': 'x',
      'firm/it/Makefile': 'x',
    })
    const first = await knowledge(at.place, ['import', join(folder, 'firm'), '--language', 'en'])
    assert.equal(complaintsIn(first), 'the folders hr and it are categories, as --language says en\n')
    assert.equal(
      first.stdout.replace(/, in .*/, ''),
      '3 created, 0 updated, 0 unchanged\nLanguages: 2 en, 1 it\n' +
        'Ignored: 1 image, 1 HTML file, 1 PDF, 2 other files\n',
    )
    const rows = await referencesOf('firm/')
    assert.deepEqual(
      await Promise.all(rows.map(async (row) => [row.language, ...(await categoryPath(row.category_id))])),
      [
        ['en', 'hr'],
        ['en', 'it'],
        ['it', 'it'],
      ],
    )
    const again = await knowledge(at.place, ['import', join(folder, 'firm')])
    assert.match(
      again.stderr,
      /^the folders hr and it are categories: nothing in the pages shows .* front matter of one page of each, such as language: hr$/m,
    )
    const alone = await knowledge(at.place, ['import', join(folder, 'firm/it')])
    assert.match(alone.stdout, /\nLanguages: 1 en, 1 it\n/)
  })

  test('folders are languages if the pages in them are in that language, by text or by front matter', async (t) => {
    const folder = folderOf(t, {
      'site/de/a.md': GERMAN,
      'site/en/a.md': ENGLISH,
      'site/fr/a.md': 'Bonjour',
      'said/hr/a.md': '---\nlanguage: hr\n---\nDobar dan',
      'said/hr/b.md': 'Laku noć',
      'said/it/a.md': 'Buongiorno',
      'mixed/de/a.md': GERMAN,
      'mixed/hr/a.md': GERMAN,
      'root/de/a.md': GERMAN,
      'root/hr/a.md': GERMAN,
    })
    const languages = async (path: string, ...args: string[]) => {
      const { stdout } = await knowledge(at.place, ['import', join(folder, path), ...args])
      return /\nLanguages: (.*)\n/.exec(stdout)?.[1]
    }
    assert.equal(await languages('site', '--dry-run'), '1 de, 1 en, 1 fr')
    assert.equal(await languages('site'), '1 de, 1 en, 1 fr')
    const [german, english] = await referencesOf('site/')
    assert.equal(german.translation_group_id, english.translation_group_id)
    assert.equal(await languages('said'), '2 hr, 1 it')
    // German pages in a department named like Croatian: this level of folders is not one of languages.
    assert.equal(await languages('mixed', '--tenant', 'default'), '2 de')
    const mixed = await referencesOf('mixed/')
    assert.deepEqual(await Promise.all(mixed.map((row) => categoryPath(row.category_id))), [['de'], ['hr']])
    assert.equal(await languages('root/de'), '1 de')
    const [ofRoot] = await referencesOf('de/')
    assert.deepEqual(await categoryPath(ofRoot.category_id), ['root'])
    await languages('root/hr')
    const [department] = await referencesOf('hr/')
    assert.deepEqual([department.language, await categoryPath(department.category_id)], ['de', ['hr']])
  })

  test('importing again changes only what differs, without duplicates', async (t) => {
    const folder = folderOf(t, { 'again/a.md': '# A\n\none', 'again/b.md': '# B\n\ntwo' })
    await knowledge(at.place, ['import', join(folder, 'again')])
    const before = await referencesOf('again/')
    const unchanged = await knowledge(at.place, ['import', join(folder, 'again')])
    assert.match(unchanged.stdout, /^0 created, 0 updated, 2 unchanged/)
    assert.deepEqual(await referencesOf('again/'), before)
    writeFileSync(join(folder, 'again/b.md'), '# B\n\nthree')
    const preview = await knowledge(at.place, ['import', join(folder, 'again'), '--dry-run'])
    assert.match(preview.stdout, /^Nothing was written. It would be: 0 created, 1 updated, 1 unchanged/)
    assert.deepEqual(await referencesOf('again/'), before)
    const changed = await knowledge(at.place, ['import', join(folder, 'again')])
    assert.match(changed.stdout, /^0 created, 1 updated, 1 unchanged/)
    assert.equal(
      changed.stderr,
      "1 entry does not tell a language; de, the tenant's, was used. --language sets another.\n",
    )
    const after = await referencesOf('again/')
    assert.deepEqual(after[0], before[0])
    assert.deepEqual([after[1].id, after[1].version, after[1].content], [before[1].id, 2, '# B\n\nthree'])
  })

  test('missing files are reported, and removed with --prune, but nothing outside of the folder', async (t) => {
    const folder = folderOf(t, { 'gone/a.md': 'a', 'gone/b.md': 'b', 'gone-too/c.md': 'c' })
    await knowledge(at.place, ['import', join(folder, 'gone'), join(folder, 'gone-too')])
    rmSync(join(folder, 'gone/b.md'))
    const told = await knowledge(at.place, ['import', join(folder, 'gone')])
    assert.match(told.stderr, /file is gone: gone\/b\.md\n1 entry has lost its file.*--prune/)
    assert.equal((await referencesOf('gone')).length, 3)
    const pruned = await knowledge(at.place, ['import', join(folder, 'gone'), '--prune'])
    assert.match(pruned.stdout, /1 unchanged, 1 removed/)
    assert.deepEqual(
      (await referencesOf('gone')).map((row) => row.source_reference),
      ['gone-too/c.md', 'gone/a.md'],
    )
    rmSync(join(folder, 'gone/a.md'))
    const emptied = await knowledge(at.place, ['import', join(folder, 'gone'), '--prune'])
    assert.match(emptied.stderr, /nothing was removed: the folder has no Markdown at all/)
    assert.match(emptied.stderr, /^not imported: \S+: no Markdown \(\.md, \.markdown\) in \//)
    assert.equal(emptied.code, 1)
    assert.equal((await referencesOf('gone')).length, 2)
  })

  test('each file that cannot be imported is named with its reason, and the others are imported', async (t) => {
    const folder = folderOf(t, {
      'bad/good.md': 'good',
      'bad/bytes.md': new Uint8Array([0x23, 0x20, 0xff, 0xfe]),
      'bad/huge.md': 'x'.repeat(1_000_001),
      'bad/null.md': 'a\0b',
      'bad/secret.md': '---\nvisibility: secrit\n---\ntext',
      'bad/own.md': '---\nvisibility: personal\n---\ntext',
      'bad/toml.md': '+++\ntitle = "x"\n+++\ntext',
      'bad/yaml.md': '---\ntitle: [one\n---\ntext',
      'bad/\u001b[2Jclear\n.md': 'a\0b',
      'outside/other.md': 'of somebody else',
    })
    symlinkSync(join(folder, 'bad'), join(folder, 'bad/loop'))
    symlinkSync(join(folder, 'nowhere.md'), join(folder, 'bad/broken.md'))
    symlinkSync(join(folder, 'outside'), join(folder, 'bad/out'))
    symlinkSync(join(folder, 'outside/other.md'), join(folder, 'bad/stolen.md'))
    symlinkSync(join(folder, 'bad/good.md'), join(folder, 'bad/inside.md'))
    const done = await knowledge(at.place, ['import', join(folder, 'bad')])
    assert.equal(done.code, 1)
    assert.match(done.stdout, /^2 created, 0 updated, 0 unchanged, 12 not imported/)
    const reasons = [
      /bytes\.md: it is not UTF-8/,
      /huge\.md: content: String should have at most 1000000 characters/,
      /null\.md: content: .*U\+0000/,
      /secret\.md: visibility: Input should be 'public'/,
      /own\.md: visibility: Use the endpoint for personal entries/,
      /toml\.md: its front matter is TOML/,
      /yaml\.md: its front matter is not valid YAML, line \d/,
      /loop: the link leads back to a folder above it/,
      /broken\.md: the link leads nowhere/,
      /\/out: the link leads out of the folder/,
      /stolen\.md: the link leads out of the folder/,
      /bad\/\\u001b\[2Jclear\\u000a\.md: content/,
    ]
    for (const reason of reasons) assert.match(done.stderr, reason)
    assert.ok(!done.stderr.includes('\u001b'))
    assert.deepEqual(
      (await referencesOf('bad/')).map((row) => row.title),
      ['good', 'inside'],
    )
  })

  test('a file that became unreadable keeps its entry when the folder is pruned', async (t) => {
    const folder = folderOf(t, { 'turned/a.md': 'a', 'turned/b.md': 'b' })
    await knowledge(at.place, ['import', join(folder, 'turned')])
    writeFileSync(join(folder, 'turned/b.md'), '---\ntitle: [\n---\n')
    const done = await knowledge(at.place, ['import', join(folder, 'turned'), '--prune'])
    assert.deepEqual([done.code, (await referencesOf('turned/')).length], [1, 2])
  })

  test('options supply what the files do not say', async (t) => {
    const folder = folderOf(t, {
      'opt/top.md': 'top',
      'opt/in/below.md': '---\nlang: fr\nvisibility: public\n---\nbelow',
    })
    const options = ['--category', 'Handbook/IT', '--language', 'en', '--visibility', 'restricted', '--name', 'other']
    const done = await knowledge(at.place, ['import', join(folder, 'opt'), ...options])
    assert.deepEqual([done.code, complaintsIn(done)], [0, ''])
    const [below, top] = await referencesOf('other/')
    assert.deepEqual(
      [top.language, top.visibility, await categoryPath(top.category_id)],
      ['en', 'restricted', ['Handbook', 'IT']],
    )
    assert.deepEqual([below.language, below.visibility], ['fr', 'public'])
    assert.deepEqual(await categoryPath(below.category_id), ['Handbook', 'IT', 'in'])
  })

  test('categories have the names and the order that people wrote, also those of an earlier import', async (t) => {
    const folder = folderOf(t, {
      'book/run/start.md': 'Start',
      'book/setup/install.md': 'Install',
      'book/setup/deep/detail.md': 'Detail',
      'book/other/more.md': 'More',
    })
    await knowledge(at.place, ['import', join(folder, 'book'), '--language', 'en'])
    const before = await referencesOf('book/')
    writeFileSync(join(folder, 'book/run/README.md'), '# Running it\n\nEvery day.\n')
    writeFileSync(join(folder, 'book/setup/_index.md'), '---\ntitle: Setting up\nweight: 5\n---\n')
    writeFileSync(join(folder, 'book/setup/README.md'), '# Not this one\n')
    const dry = await knowledge(at.place, ['import', join(folder, 'book'), '--language', 'en', '--dry-run'])
    assert.match(dry.stdout, /It would be: 3 created, 0 updated, 4 unchanged/)
    const done = await knowledge(at.place, ['import', join(folder, 'book'), '--language', 'en'])
    assert.match(done.stdout, /^3 created, 0 updated, 4 unchanged/)
    const after = await referencesOf('book/')
    const rowsByReference = new Map(after.map((row) => [row.source_reference, row]))
    for (const row of before) assert.equal(rowsByReference.get(row.source_reference)?.category_id, row.category_id)
    const places = await Promise.all(
      before.map(async ({ source_reference, category_id }) => {
        const { queries } = at.database
        const named = queries.selectFrom('categories').select('sort_order').where('id', '=', category_id)
        return [
          source_reference,
          (await categoryPath(category_id)).join(' / '),
          (await named.executeTakeFirst())?.sort_order,
        ]
      }),
    )
    assert.deepEqual(places, [
      ['book/other/more.md', 'other', 6],
      ['book/run/start.md', 'Running it', 6],
      ['book/setup/deep/detail.md', 'Setting up / deep', 0],
      ['book/setup/install.md', 'Setting up', 5],
    ])
    const again = await knowledge(at.place, ['import', join(folder, 'book'), '--language', 'en'])
    assert.match(again.stdout, /^0 created, 0 updated, 7 unchanged/)
  })

  test('of pages in several languages, those of the language with most pages name the categories', async (t) => {
    const folder = folderOf(t, {
      'tongues/de/setup/_index.md': `---\ntitle: Einrichten\n---\n${GERMAN}`,
      'tongues/en/setup/_index.md': `---\ntitle: Setting up things\n---\n${ENGLISH}`,
      'tongues/en/setup/a.md': ENGLISH,
    })
    await knowledge(at.place, ['import', join(folder, 'tongues')])
    const rows = await referencesOf('tongues/')
    const paths = await Promise.all(rows.map((row) => categoryPath(row.category_id)))
    assert.deepEqual(paths, [['Setting up things'], ['Setting up things'], ['Setting up things']])
  })

  test('pages link to where they are published', async (t) => {
    const folder = folderOf(t, {
      'site-of/_index.md': 'Top',
      'site-of/a b/page.md': 'Page',
      'site-of/own.md': '---\nurl: /elsewhere/\n---\nOwn',
      'site-of/whole.md': '---\nurl: https://other.example/whole\n---\nWhole',
    })
    const urls = async () => (await referencesOf('site-of/')).map((row) => row.url)
    const template = ['--url', 'https://example.com/docs/{path}/']
    const done = await knowledge(at.place, ['import', join(folder, 'site-of'), ...template])
    assert.equal(done.code, 0, done.stderr)
    const published = [
      'https://example.com/docs/',
      'https://example.com/docs/a%20b/page/',
      'https://example.com/elsewhere/',
      'https://other.example/whole',
    ]
    assert.deepEqual(await urls(), published)
    const again = await knowledge(at.place, ['import', join(folder, 'site-of')])
    assert.match(again.stdout, /^0 created, 0 updated, 4 unchanged/)
    assert.deepEqual(await urls(), published)
    const refused = await knowledge(at.place, ['import', join(folder, 'site-of'), '--url', 'https://example.com/'])
    assert.equal(refused.code, 2)
    assert.match(refused.stderr, /--url takes an address with \{path\} or \{file\}/)
    const lines = await knowledge(at.place, ['import', '-', ...template], { input: '' })
    assert.match(lines.stderr, /--url works with folders and Markdown files only/)
  })
})
