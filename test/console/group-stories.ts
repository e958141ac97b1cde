import assert from 'node:assert/strict'
import { ADMIN, PASSWORD, PEOPLE, type Stage } from './stage.ts'
import { type Part, storiesOf } from './tiered-stories.ts'
import type { Visitor } from './visitor.ts'

const API = '/api/knowledge'

/** Declares the stories of people with projects, workspaces and the content of sites. */
export function groupStories(stage: Stage, part: Part): void {
  const { inGate, inRest } = storiesOf(part)
  const create = async (path: string, body: object): Promise<string> => {
    const answer = await stage.service.call('POST', `${API}/${path}`, { body })
    assert.equal(answer.status, 201, JSON.stringify(answer.body))
    return answer.body.id
  }
  const entry = async (title: string): Promise<string> =>
    create('knowledge-entries', { title, content: 'Text', category_id: await stage.service.category() })
  const said = ({ page }: Visitor, text: string) => page.locator('.toast').getByText(text).waitFor()
  const pick = async ({ page }: Visitor, field: string, text: string, option: RegExp): Promise<void> => {
    await page.getByRole('combobox', { name: field }).fill(text)
    await page.getByRole('option', { name: option }).click()
  }

  inGate(
    'an editor makes a project, fills it by titles, takes an entry out, renames and deletes it; the entries stay',
    async () => {
      const [remaining, removed] = [await entry('Forklift licence rules'), await entry('Forklift battery rules')]
      const visitor = await stage.visit()
      const { page } = visitor
      await visitor.signIn(PEOPLE.editor, PASSWORD)
      await visitor.navigate('Projects')
      await page.getByRole('button', { name: 'New project' }).click()
      await page.getByLabel('Name').fill('New warehouse')
      await page.getByRole('button', { name: 'Create project' }).click()
      await said(visitor, '“New warehouse” is created.')
      await page.getByRole('heading', { level: 2, name: 'New warehouse' }).waitFor()
      await page.getByText('No entry is here yet.').waitFor()
      await pick(visitor, 'Add an entry', 'forklift lic', /Forklift licence rules/)
      await said(visitor, '“Forklift licence rules” is added.')
      await pick(visitor, 'Add an entry', 'forklift bat', /Forklift battery rules/)
      await page.getByRole('row', { name: /Forklift battery rules/ }).waitFor()
      await visitor.assertSound('a project')
      await page.getByRole('button', { name: 'Take out Forklift battery rules' }).click()
      await page.getByRole('row', { name: /Forklift battery rules/ }).waitFor({ state: 'detached' })
      const id = new URL(page.url()).searchParams.get('id')
      const projectEntries = await stage.service.call('GET', `${API}/knowledge-entries?project_id=${id}`)
      assert.deepEqual(
        projectEntries.body.map((each: { id: string }) => each.id),
        [remaining],
      )
      await page.getByRole('button', { name: 'Rename' }).click()
      await page.getByLabel('Name').fill('Old warehouse')
      await page.getByRole('button', { name: 'Save' }).click()
      await page.getByRole('heading', { level: 2, name: 'Old warehouse' }).waitFor()
      await page.getByRole('button', { name: 'Delete', exact: true }).click()
      await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
      await said(visitor, '“Old warehouse” is deleted.')
      assert.equal((await stage.service.call('GET', `${API}/projects/${id}`)).status, 404)
      for (const each of [remaining, removed])
        assert.equal((await stage.service.call('GET', `${API}/knowledge-entries/${each}`)).status, 200)
      await visitor.close()
    },
  )

  inRest('a reader sees projects and their entries, and is told who changes them; Back undoes a choice', async () => {
    const [one, other] = [await create('projects', { name: 'PA one' }), await create('projects', { name: 'PB other' })]
    await stage.service.call('POST', `${API}/projects/${one}/entries`, {
      body: { entry_ids: [await entry('Held by PA')] },
    })
    const visitor = await stage.visit()
    const { page } = visitor
    await visitor.signIn(PEOPLE.reader, PASSWORD, '/console/projects')
    await page.getByRole('link', { name: 'PA one' }).click()
    await page.getByRole('row', { name: /Held by PA/ }).waitFor()
    await page.getByText('You can read projects.').waitFor()
    assert.equal(await page.getByRole('button', { name: /Take out/ }).count(), 0)
    await page.getByRole('link', { name: 'PB other' }).click()
    await page.getByRole('heading', { level: 2, name: 'PB other' }).waitFor()
    assert.equal(new URL(page.url()).searchParams.get('id'), other)
    await page.goBack()
    await page.getByRole('heading', { level: 2, name: 'PA one' }).waitFor()
    await visitor.close()
  })

  inRest('an administrator makes a workspace, adds a person, sees their role, takes them out, and leaves', async () => {
    const visitor = await stage.visit()
    const { page } = visitor
    await visitor.signIn(ADMIN, PASSWORD, '/console/workspaces')
    await page.getByRole('button', { name: 'New workspace' }).click()
    await page.getByLabel('Name').fill('Board')
    await page.getByRole('button', { name: 'Create workspace' }).click()
    await page.getByRole('heading', { level: 2, name: 'Board' }).waitFor()
    await page.getByRole('button', { name: 'Leave' }).waitFor()
    await pick(visitor, 'Add a person', 'ed edi', /Ed Editor/)
    await said(visitor, 'Ed Editor is a member now.')
    await page
      .getByRole('row', { name: /Ed Editor/ })
      .getByText('Editor', { exact: true })
      .waitFor()
    await page.getByRole('button', { name: 'Take out Ed Editor' }).click()
    await said(visitor, 'Ed Editor is not a member any more.')
    await page.getByRole('button', { name: 'Leave' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Leave' }).click()
    await page.getByText('Nobody is a member yet.').waitFor()
    const id = new URL(page.url()).searchParams.get('id')
    assert.deepEqual((await stage.service.call('GET', `${API}/workspaces/${id}/members`)).body, [])
    await visitor.close()
  })

  inRest('a workspace that has entries is not deleted, and the page says why', async () => {
    const id = await create('workspaces', { name: 'Full workspace' })
    await create('knowledge-entries', {
      title: 'Inside',
      content: 'Text',
      category_id: await stage.service.category(),
      visibility: 'workspace',
      workspace_id: id,
    })
    const visitor = await stage.visit()
    const { page } = visitor
    await visitor.signIn(ADMIN, PASSWORD, `/console/workspaces?id=${id}`)
    await page.getByRole('button', { name: 'Delete', exact: true }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
    await page.getByText('The workspace still has entries.').waitFor()
    await visitor.close()
  })

  inGate(
    'an administrator makes a site, changes it, and deletes it once it is empty; the default one stays',
    async () => {
      const visitor = await stage.visit()
      const { page } = visitor
      await visitor.signIn(ADMIN, PASSWORD, '/console/site-entries')
      await page.getByRole('button', { name: 'New site' }).click()
      const dialog = page.getByRole('dialog', { name: 'New site' })
      await dialog.getByLabel('Name', { exact: true }).fill('Größter Shop')
      assert.equal(await dialog.getByLabel('Short name').inputValue(), 'groesster-shop')
      await dialog.getByLabel('Short name').fill('default')
      await dialog.getByRole('button', { name: 'Create site' }).click()
      await dialog.getByText('Another site has this short name.').waitFor()
      await visitor.assertSound('a short name that is taken')
      await dialog.getByLabel('Short name').fill('Big shop')
      await dialog.getByRole('button', { name: 'Create site' }).click()
      await dialog.getByText('Enter 1 to 63 lower-case letters').waitFor()
      await dialog.getByLabel('Short name').fill('big-shop')
      await dialog.getByRole('button', { name: 'Create site' }).click()
      await said(visitor, '“Größter Shop” is created.')
      await page.getByRole('heading', { level: 2, name: 'Größter Shop' }).waitFor()
      const id = new URL(page.url()).searchParams.get('id')
      const stored = async () => (await stage.service.call('GET', `${API}/sites/${id}`)).body
      // Another person sets the kind while the dialog is open.
      await page.getByRole('button', { name: 'Change' }).click()
      await stage.service.call('PATCH', `${API}/sites/${id}`, { body: { site_type: 'shop' } })
      await page.getByLabel('Domain').fill('shop.example.com')
      await page.getByRole('button', { name: 'Save' }).click()
      await page.locator('.description-list').getByText('shop.example.com').waitFor()
      const { slug, domain, site_type: type, language } = await stored()
      assert.deepEqual([slug, domain, type, language], ['big-shop', 'shop.example.com', 'shop', 'en'])
      const body = { entry_ids: [await entry('Held by the site')] }
      await stage.service.call('POST', `${API}/sites/${id}/knowledge`, { body })
      await page.getByRole('button', { name: 'Delete', exact: true }).click()
      await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
      await page.getByText('The site still has products or entries.').waitFor()
      await stage.service.call('DELETE', `${API}/sites/${id}/knowledge`)
      await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
      await said(visitor, '“Größter Shop” is deleted.')
      assert.equal((await stage.service.call('GET', `${API}/sites/${id}`)).status, 404)
      await page.locator('.groups-list a').first().click()
      await page.getByText('It cannot be deleted until another site is the default.').waitFor()
      assert.equal(await page.getByRole('button', { name: 'Delete', exact: true }).count(), 0)
      await visitor.close()
    },
  )

  inRest('an administrator chooses what a site shows, and an editor sees it', async () => {
    const id = await entry('Opening hours of the shop')
    const visitor = await stage.visit()
    const { page } = visitor
    await visitor.signIn(ADMIN, PASSWORD, '/console/site-entries')
    await page.locator('.groups-list a').first().click()
    await pick(visitor, 'Add an entry', 'opening', /Opening hours of the shop/)
    await said(visitor, '“Opening hours of the shop” is added.')
    const site = new URL(page.url()).searchParams.get('id')
    const siteEntries = await stage.service.call('GET', `${API}/sites/${site}/knowledge`)
    assert.ok(siteEntries.body.some((each: { id: string }) => each.id === id))
    const editor = await stage.visit()
    await editor.signIn(PEOPLE.editor, PASSWORD, `/console/site-entries?id=${site}`)
    await editor.page.getByRole('row', { name: /Opening hours of the shop/ }).waitFor()
    await editor.page.getByText('Administrators can change it.').waitFor()
    assert.equal(await editor.page.getByRole('button', { name: /Take out/ }).count(), 0)
    await editor.close()
    await visitor.close()
  })
}
