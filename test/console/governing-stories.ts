import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { parseSettings } from '../../src/identity/tenants/settings.ts'
import { changeTenant, findTenant } from '../../src/identity/tenants/rules.ts'
import { ADMIN, PASSWORD, type Stage } from './stage.ts'
import { type Part, storiesOf } from './tiered-stories.ts'
import { LOOKS, type Visitor } from './visitor.ts'

const SETTINGS = '/console/settings'
const SINGLE_SIGN_ON = '/console/settings/single-sign-on'
const AUDIT = '/console/settings/audit-trail'
const API = '/api/knowledge/tenant-settings'

/** Declares the stories of administrators with their organisation. */
export function governingStories(stage: Stage, part: Part): void {
  const { inGate, inRest } = storiesOf(part)
  const settings = async () => (await stage.service.call('GET', API)).body
  const change = (body: object) => stage.service.call('PATCH', API, { body })
  const saved = (visitor: Visitor) => visitor.page.getByText('Saved', { exact: true }).waitFor()

  inGate('an administrator changes settings by keyboard, saves them, and they are in force', async () => {
    const before = await settings()
    const visitor = await stage.visit()
    const { page } = visitor
    await visitor.signIn(ADMIN, PASSWORD, SETTINGS)
    const days = page.getByLabel('Keep deleted entries for')
    await days.focus()
    await visitor.press('Control+a', '6', '0', 'Tab')
    await page.getByText('1 change is not saved').waitFor()
    await page.getByRole('radio', { name: /^Everybody Assistants/ }).focus()
    await visitor.press('Space')
    await page.getByText('2 changes are not saved').waitFor()
    await page.getByLabel('Learn from clicks').focus()
    await visitor.press('Space')
    await page.getByText('3 changes are not saved').waitFor()
    await page.getByRole('button', { name: 'Save' }).focus()
    await visitor.press('Enter')
    await saved(visitor)
    const after = await settings()
    assert.deepEqual(after, { ...before, bin_days: 60, oauth_registration: 'open', click_learning: true })
    assert.equal(await page.getByText(/not saved/).count(), 0)
    await change({ bin_days: 30, oauth_registration: 'key', click_learning: false })
    await visitor.close()
  })

  inRest('fewer second factors take the password again, and without it nothing is saved', async () => {
    const { database } = stage.service
    await stage.service.tenant('laxer')
    await stage.person('lax@x', 'Lara Lax', 'admin', 'laxer')
    const visitor = await stage.visit()
    const { page } = visitor
    await visitor.signIn('lax@x', PASSWORD, SETTINGS)
    await page.getByRole('radio', { name: /^Nobody People may set/ }).waitFor()
    // As if she had signed in with her second factor.
    await database.queries
      .updateTable('sessions')
      .set({ strength: 'second' })
      .where('tenant_id', '=', 'laxer')
      .execute()
    await changeTenant(database, 'laxer', { settings: { requireSecondFactor: 'on' } })
    const needs = async () => parseSettings((await findTenant(database.queries, 'laxer'))!.settings).requireSecondFactor
    await visitor.goTo(SETTINGS)
    await page.getByRole('radio', { name: /^Nobody People may set/ }).check({ force: true })
    const save = page.getByRole('button', { name: 'Save' })
    const proof = page.getByRole('dialog', { name: 'Confirm it is you' })
    await save.click()
    await proof.getByText('You are asking fewer people for a second factor.').waitFor()
    await visitor.assertSound('the question who lowers the need of second factors')
    await proof.getByRole('button', { name: 'Cancel' }).click()
    await page.locator('.notice-plain').getByText('Nothing was changed, because you did not confirm').waitFor()
    assert.equal(await needs(), 'on')
    await save.click()
    await proof.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await proof.getByRole('button', { name: 'Confirm' }).click()
    await saved(visitor)
    assert.equal(await needs(), 'off')
    await visitor.close()
  })

  inRest('an administrator says how long versions and the audit trail are kept', async () => {
    const before = await settings()
    const visitor = await stage.visit()
    const { page } = visitor
    await visitor.signIn(ADMIN, PASSWORD, SETTINGS)
    await page.getByLabel('Keep earlier versions for').fill('365')
    const audit = page.getByLabel('Keep the audit trail for')
    await audit.fill('7')
    await visitor.press('Tab')
    assert.equal(await audit.inputValue(), '30', 'the shortest time')
    await page.getByRole('button', { name: 'Save' }).click()
    await saved(visitor)
    assert.deepEqual(await settings(), { ...before, version_days: 365, audit_days: 30 })
    await change({ version_days: 0, audit_days: 3_650 })
    await visitor.close()
  })

  inRest(
    'two administrators at the same settings: the second is told what the first has set, and loses nothing',
    async () => {
      const visitor = await stage.visit()
      const { page } = visitor
      await visitor.signIn(ADMIN, PASSWORD, SETTINGS)
      await page.getByLabel('Keep deleted entries for').fill('45')
      await page.getByLabel('Name of the organisation').fill('Hansen Tools')
      await change({ bin_days: 14, workspaces: true })
      await page.getByRole('button', { name: 'Save' }).click()
      const notice = page.getByRole('alert')
      await notice.getByText('Somebody else changed settings while you were here').waitFor()
      await notice.getByText('Keep deleted entries for: they set 14 days, you 45 days').waitFor()
      await notice.getByText('Close workspaces to everybody but their members: now on').waitFor()
      assert.equal((await settings()).bin_days, 14, 'nothing is overwritten before somebody says so')
      assert.ok(await page.getByLabel('Close workspaces to everybody but their members').isChecked())
      assert.equal(await page.getByLabel('Name of the organisation').inputValue(), 'Hansen Tools')
      await visitor.assertSound('a conflict of settings')
      await page.getByRole('button', { name: 'Save' }).click()
      await saved(visitor)
      const { name, bin_days: days, workspaces } = await settings()
      assert.deepEqual([name, days, workspaces], ['Hansen Tools', 45, true])
      await change({ name: 'Default', bin_days: 30, workspaces: false })
      await visitor.close()
    },
  )

  inRest('what was typed survives an ended session and a service that is away, and leaving asks first', async () => {
    const visitor = await stage.visit()
    const { page } = visitor
    await visitor.signIn(ADMIN, PASSWORD, SETTINGS)
    const name = page.getByLabel('Name of the organisation')
    await name.fill('A better name')
    await page.route('**/api/knowledge/tenant-settings', (route) => route.abort())
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('The service cannot be reached.').waitFor()
    assert.equal(await name.inputValue(), 'A better name')
    await page.unroute('**/api/knowledge/tenant-settings')
    await visitor.navigate('System')
    await page.getByRole('alertdialog').getByRole('button', { name: 'Cancel' }).click()
    assert.equal(await name.inputValue(), 'A better name')
    await page.context().clearCookies()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('dialog', { name: 'Sign in again' }).waitFor()
    await visitor.fillSignIn(ADMIN, PASSWORD)
    await saved(visitor)
    assert.equal((await settings()).name, 'A better name')
    await change({ name: 'Default' })
    await visitor.close()
  })

  inGate('a table of groups is checked beside its fields, saved, and said back in words', async () => {
    const visitor = await stage.visit()
    const { page } = visitor
    await visitor.signIn(ADMIN, PASSWORD, SINGLE_SIGN_ON)
    await page.getByText('“Company login” works').waitFor()
    await page.getByText('/sign-in/provider/callback').waitFor()
    await page.getByText('/sign-in/provider/logout').waitFor()
    await page.locator('label').filter({ hasText: 'Make an account at the first sign-in' }).click()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Choose a role for people without a group, or add a group.').waitFor()
    await page.getByRole('button', { name: 'Add group' }).click()
    await visitor.focusOn('Group')
    await page.keyboard.type('editors')
    await page.getByRole('button', { name: 'Add group' }).click()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Enter the name of the group.').waitFor()
    await page.getByRole('button', { name: 'Remove this group' }).click()
    const row = page.getByRole('list', { name: 'Groups' }).getByRole('listitem').first()
    await row.getByRole('button', { name: /Role/ }).click()
    await page.getByRole('option', { name: 'Editor' }).click()
    await row.getByRole('button', { name: /Sees up to/ }).click()
    await page.getByRole('option', { name: /^Community/ }).click()
    await page.getByText('Who is in none of the groups has no access.').waitFor()
    await page.getByRole('button', { name: 'Save' }).click()
    const proof = page.getByRole('dialog', { name: 'Confirm it is you' })
    await proof.getByText('You are changing who gets in with the company account').waitFor()
    await proof.getByLabel('Password').fill('not the password')
    await proof.getByRole('button', { name: 'Confirm' }).click()
    await proof.getByText('The password is wrong.').waitFor()
    await visitor.assertSound('the question who changes the rules')
    await proof.getByLabel('Password').fill(PASSWORD)
    await proof.getByRole('button', { name: 'Confirm' }).click()
    await saved(visitor)
    const rules = '/api/knowledge/sign-in-rules'
    const { body } = await stage.service.call('GET', rules)
    assert.deepEqual(body.groups, [{ group: 'editors', role: 'editor', ceiling: 'community' }])
    assert.equal(body.create_users, true)
    await stage.service.call('PUT', rules, { body: { ...body, create_users: false, groups: [] } })
    await visitor.close()
  })

  inGate(
    'the audit trail is filtered by the address, Back undoes one choice, and the export has what the filters leave',
    async () => {
      await change({ search_log_days: 31 })
      await change({ search_log_days: 90 })
      const visitor = await stage.visit()
      const { page } = visitor
      await visitor.signIn(ADMIN, PASSWORD, AUDIT)
      await page.getByRole('table', { name: 'Records' }).waitFor()
      await page.getByRole('button', { name: /About/ }).click()
      await page.getByRole('option', { name: 'Settings', exact: true }).click()
      await page.waitForURL(/kind=tenant/)
      await page.getByRole('button', { name: /What happened/ }).click()
      await page.getByRole('option', { name: 'Changed' }).click()
      await page.waitForURL(/action=update/)
      await page
        .getByRole('button', { name: /^Details: Changed/ })
        .first()
        .click()
      const dialog = page.getByRole('dialog')
      await dialog.getByRole('row', { name: 'Keep searches and clicks for 31 days 90 days' }).waitFor()
      await visitor.press('Escape')
      const download = page.waitForEvent('download')
      await page.getByRole('button', { name: 'Export' }).click()
      await page.getByRole('menuitem', { name: 'For programs (JSON lines)' }).click()
      const lines = (await readFile(await (await download).path(), 'utf8')).trimEnd().split('\n')
      const kinds = lines.map((line) => JSON.parse(line) as { action: string; resource_type: string })
      assert.ok(kinds.length >= 2)
      assert.ok(kinds.every(({ action, resource_type: kind }) => action === 'update' && kind === 'tenant'))
      await page.goBack()
      await page.waitForURL((url) => url.searchParams.has('kind') && !url.searchParams.has('action'))
      await page.goto(`${stage.base}${AUDIT}?to=2001-01-01&action=DROP%20TABLE&person=nobody`)
      await page.getByText('Nothing matches these filters.').waitFor()
      await visitor.close()
    },
  )

  inRest(
    'the person of the audit trail is found by typing a name, however many people there are, and taken out again',
    async () => {
      await change({ search_log_days: 31 })
      const visitor = await stage.visit()
      const { page } = visitor
      const queries: string[] = []
      page.on('request', (request) => {
        const { pathname, searchParams } = new URL(request.url())
        if (pathname === '/api/knowledge/users') queries.push(searchParams.get('query') ?? '')
      })
      await visitor.signIn(ADMIN, PASSWORD, AUDIT)
      await page.getByRole('table', { name: 'Records' }).waitFor()
      await page.getByRole('combobox', { name: 'Person' }).fill('rita')
      await page.getByRole('option', { name: /Rita Reader/ }).waitFor()
      await page.getByRole('option').nth(1).waitFor({ state: 'detached' })
      await visitor.press('ArrowDown', 'Enter')
      await page.waitForURL(/person=/)
      await page.getByText('Person: Rita Reader').waitFor()
      await visitor.assertSound('an audit trail of one person')
      assert.ok(queries.includes('rita'), `the service looked for ${queries.join()}`)
      await page.getByRole('row', { name: 'Person: Rita Reader' }).getByRole('button').click()
      await page.waitForURL((url) => !url.searchParams.has('person'))
      await page.getByRole('table', { name: 'Records' }).waitFor()
      assert.equal(await page.getByRole('combobox', { name: 'Person' }).inputValue(), '')
      await change({ search_log_days: 90 })
      await visitor.close()
    },
  )

  inRest(
    'an administrator sees what a model costs, chooses it, and leaves the choice to the operator again',
    async () => {
      const visitor = await stage.visit()
      const { page } = visitor
      await visitor.signIn(ADMIN, PASSWORD, '/console/system')
      await page.getByText('Search that reads gives better answers.').waitFor()
      const models = page.getByRole('table', { name: 'Model of the search' })
      const rowOf = (name: string) => models.getByRole('row').filter({ hasText: name })
      const best = rowOf('Reads sentences and knows words')
      await best.getByText(/^Passages to read: \d+, about a minute$/).waitFor()
      // Somebody else is quicker: nothing is overwritten.
      await change({ search_log_days: 91 })
      await best.getByRole('button', { name: /^Use it/ }).click()
      await page.getByText('Somebody else has changed settings').waitFor()
      await best.getByRole('button', { name: /^Use it/ }).click()
      await page.getByText('You have chosen the model yourself.').waitFor()
      await best.getByText('In use', { exact: true }).waitFor()
      await visitor.assertSound('the system page with a model of one’s own')
      await rowOf('Knows words').last().getByText('Nothing, everything is ready').waitFor()
      await rowOf('Knows words')
        .last()
        .getByRole('button', { name: /^Use it/ })
        .click()
      await rowOf('Knows words').last().getByText('In use', { exact: true }).waitFor()
      await page.getByRole('button', { name: 'Leave it to the operator' }).click()
      await page.getByText('You have chosen none: the operator’s settings decide.').waitFor()
      await change({ search_log_days: 90 })
      await visitor.close()
    },
  )

  inRest('the system page says in words how the service is, in the language of the person', async () => {
    const visitor = await stage.visit(LOOKS[1])
    const { page } = visitor
    await visitor.signIn(ADMIN, PASSWORD, '/console/system')
    await page.getByText('Alles in Ordnung').waitFor()
    await page.getByRole('meter', { name: 'Vorbereitet' }).waitFor()
    await page.getByText('Alle da').waitFor()
    let change: object | null = { documents_behind: 1_200, indexes_behind: 1, behind_seconds: 74.3 }
    await page.route('**/api/knowledge/status', async (route) => {
      const answer = await route.fetch()
      const status = await answer.json()
      const search = change === null ? null : { ...status.search, ...change }
      await route.fulfill({ response: answer, json: { ...status, search } })
    })
    await page.getByRole('button', { name: 'Jetzt prüfen' }).click()
    const lag = '1.200 fehlen seit 75 s: Texte werden gelesen'
    await page.getByText(`Der Suche fehlen die neuesten Texte: ${lag}.`).waitFor()
    await page.getByText(lag, { exact: true }).waitFor()
    change = null
    await page.getByRole('button', { name: 'Jetzt prüfen' }).click()
    await page.getByText('Die Suche startet neu. In wenigen Sekunden').waitFor()
    await visitor.close()
  })
}
