import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { countDueUsage } from '../../src/composition/tenants/count-usage.ts'
import { issueOperator, revokeOperator } from '../../src/identity/operators/rules.ts'
import { PASSWORD, PEOPLE, type Stage } from './stage.ts'
import { type Part, storiesOf } from './tiered-stories.ts'
import { LOOKS } from './visitor.ts'

const PATH = '/console/operator'

/** Declares the stories of the operator of the service, without a shell and without SQL. */
export function operatorStories(stage: Stage, part: Part): void {
  const { inGate, inRest } = storiesOf(part)
  const operator = (method: string, path: string) =>
    stage.service.call(method, `/api/operator${path}`, { key: stage.operatorKey })

  inRest('a day of an operator: a customer comes, is hosted, is late with paying, pays, and leaves', async () => {
    const visitor = await stage.visit()
    const { page } = visitor
    await visitor.enter(stage.operatorKey)
    await visitor.heading('Organisations')

    // A customer comes.
    await page.getByRole('button', { name: 'Create organisation' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Short name').fill('Acme GmbH')
    await dialog.getByRole('button', { name: 'Create' }).click()
    await dialog.getByText('Use 1 to 63 characters').waitFor()
    await dialog.getByLabel('Short name').fill('acme')
    await dialog.getByLabel('Name (optional)', { exact: true }).fill('Acme GmbH')
    await dialog.getByLabel('Your reference').fill('customer-17')
    await dialog.getByLabel('Email of the first administrator').fill('boss@acme.example')
    await dialog.locator('label').filter({ hasText: 'Also make an API key' }).click()
    await dialog.getByRole('button', { name: 'Create' }).click()
    await page.getByRole('dialog', { name: 'Acme GmbH is created' }).waitFor()
    const password = await dialog.getByLabel('Password').inputValue()
    const key = await dialog.getByLabel('API key').inputValue()
    await visitor.press('Escape')
    assert.ok(await dialog.isVisible(), 'a stray Escape loses the password')
    await visitor.assertSound('the secrets of a new organisation')
    await dialog.getByRole('button', { name: 'I’ve saved it' }).click()
    assert.ok(!(await page.content()).includes(password))
    assert.equal(await stage.statusWith(key), 200)

    // The customer has a wish; its administrator can sign in.
    await page.getByRole('link', { name: 'Acme GmbH' }).click()
    await visitor.heading('Acme GmbH')
    await page.getByRole('tab', { name: 'Settings' }).click()
    await page.getByLabel('Your reference').fill('customer-18')
    await page.getByLabel('Keep deleted entries for').fill('90')
    await page.locator('label').filter({ hasText: 'People who sign in with a password' }).click()
    await page.getByText('3 changes are not saved').waitFor()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved', { exact: true }).waitFor()
    const { body: changed } = await operator('GET', '/tenants/acme')
    assert.deepEqual(
      [changed.reference, changed.settings.bin_days, changed.settings.require_second_factor],
      ['customer-18', 90, 'on'],
    )
    await page.getByLabel('Own address').fill('Not A Host')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.locator('.field-fault', { hasText: 'Enter a host name' }).waitFor()
    await page.getByRole('button', { name: 'Discard' }).click()

    // The customer is late with paying, and pays.
    await page.getByRole('button', { name: 'Suspend' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Suspend' }).click()
    await page.getByText('Suspended since').waitFor()
    assert.equal(await stage.statusWith(key), 403)
    await page.getByRole('button', { name: 'Resume' }).click()
    await page.getByText('People can work.').waitFor()
    assert.equal(await stage.statusWith(key), 200)

    // The bill: what every tenant had and used.
    await countDueUsage(stage.service.database, { now: Date.now() })
    await page.getByRole('link', { name: 'All organisations' }).click()
    await page.getByLabel('Name or short name').fill('acme')
    await page.waitForURL(/q=acme/)
    await page.getByRole('row').nth(1).getByText('Acme GmbH').waitFor()
    const download = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Export use (CSV)' }).click()
    const lines = (await readFile(await (await download).path(), 'utf8')).trimEnd().split('\r\n')
    assert.deepEqual(
      lines.map((line) => line.split(',')[0]),
      ['tenant_id', 'acme'],
    )
    await visitor.assertSound('the list of organisations')

    // The customer leaves, thinks again, and leaves for good.
    await page.getByRole('link', { name: 'Acme GmbH' }).click()
    await page.getByRole('button', { name: 'Suspend' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Suspend' }).click()
    await page.getByRole('button', { name: 'Remove …' }).click()
    const removal = page.getByRole('alertdialog')
    await removal.getByRole('button', { name: 'Remove' }).click()
    await removal.getByText('Enter acme.').waitFor()
    await visitor.assertSound('the question before a removal')
    await removal.getByLabel('To confirm, enter acme').fill('acme')
    await removal.getByRole('button', { name: 'Remove' }).click()
    await page.getByText('Will be removed with everything it has').waitFor()
    const { body: planned } = await operator('GET', '/tenants/acme')
    const days = (Date.parse(planned.remove_at) - Date.now()) / 86_400_000
    assert.ok(days > 29 && days <= 30, `${days} days`)
    await page.getByRole('button', { name: 'Cancel removal' }).click()
    await page.getByText('Suspended since').waitFor()
    await page.getByRole('button', { name: 'Remove …' }).click()
    await removal.getByLabel('Begin after').fill('0')
    await removal.getByLabel('To confirm, enter acme').fill('acme')
    await removal.getByRole('button', { name: 'Remove' }).click()
    await page.getByText('There is no organisation with this short name').waitFor()

    // In the evening the operator looks at the state of the service and at the log.
    await page.getByRole('link', { name: 'Status' }).click()
    await page.getByText('All is well').waitFor()
    await page.getByText('The service makes none by itself.').waitFor()
    await visitor.assertSound('the status of the installation')
    await page.getByRole('link', { name: 'Log' }).click()
    await page
      .getByRole('row', { name: /Olga Operator Removal planned acme/ })
      .first()
      .waitFor()
    await page.getByRole('row', { name: /The service itself Removed acme/ }).waitFor()
    await visitor.assertSound('the log of operators')
    await visitor.close()
  })

  inRest(
    'an operator bounds an organisation, whose administrators see the bound and how much of it is used',
    async () => {
      const visitor = await stage.visit()
      const { page } = visitor
      await visitor.enter(stage.operatorKey, `${PATH}/tenants/default`)
      await page.getByRole('tab', { name: 'Quotas' }).click()
      const field = (name: string) => page.getByRole('textbox', { name })
      await field('Entries').fill('20000')
      await field('Text').fill('12.34')
      await field('Requests per minute').fill('9000')
      await visitor.press('Tab')
      await page.getByText('3 changes are not saved').waitFor()
      await page.getByRole('button', { name: 'Save' }).click()
      await page.getByRole('meter', { name: 'Entries' }).waitFor()
      await page.getByText(/ of 12\.3 MB$/).waitFor()
      const quotas = async () => {
        const { entries, bytes, requests_per_minute, embedding_tokens_per_month } = (
          await operator('GET', '/tenants/default/quotas')
        ).body
        return { entries, bytes, requests_per_minute, embedding_tokens_per_month }
      }
      const set = { entries: 20_000, bytes: 12_340_000, requests_per_minute: 9_000, embedding_tokens_per_month: null }
      assert.deepEqual(await quotas(), set)
      await visitor.assertSound('the quotas of an organisation')

      // An administrator of the bound tenant sees the quota, on a phone and in German too.
      const bound = await stage.visit(LOOKS[1])
      await bound.signIn(PEOPLE.admin, PASSWORD, '/console/system')
      await bound.page.getByRole('meter', { name: 'Einträge' }).waitFor()
      await bound.page.getByText(/ von 20\.000$/).waitFor()
      await bound.page.getByText(/, ohne Kontingent$/).waitFor()
      await bound.page.getByText('9.000', { exact: true }).waitFor()
      assert.equal(await bound.page.getByRole('textbox', { name: 'Einträge' }).count(), 0)
      await bound.assertSound('the quotas that bind an organisation')
      await bound.page.route('**/api/knowledge/quotas', async (route) => {
        const answer = await route.fetch()
        const json = { ...(await answer.json()), embedding_paused_until: '2027-03-01T00:00:00.000Z' }
        await route.fulfill({ response: answer, json })
      })
      await bound.page.getByRole('button', { name: 'Jetzt prüfen' }).click()
      await bound.page.getByText('Die Tokens dieses Monats sind verbraucht.').waitFor()
      await bound.close()

      // A field that is emptied lifts its quota.
      for (const name of ['Entries', 'Text', 'Requests per minute']) await field(name).fill('')
      await visitor.press('Tab')
      await page.getByText('3 changes are not saved').waitFor()
      await page.getByRole('button', { name: 'Save' }).click()
      await page.getByRole('meter', { name: 'Entries' }).waitFor({ state: 'detached' })
      assert.deepEqual(Object.values(await quotas()), [null, null, null, null], 'what was lifted')
      await visitor.close()
    },
  )

  inGate(
    'the credential is in the memory of the tab alone: not in a cookie, not in storage, gone after a reload',
    async () => {
      const visitor = await stage.visit()
      const { page } = visitor
      const sent: string[] = []
      page.on('request', (request) => {
        const { pathname } = new URL(request.url())
        if ((request.headers().authorization ?? '').includes(stage.operatorKey)) sent.push(pathname)
      })
      await visitor.enter(stage.operatorKey)
      await page.getByRole('table', { name: 'Organisations' }).waitFor()
      const storedText = await page.evaluate<string>(
        'JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie, history.state, location.href])',
      )
      assert.ok(!storedText.includes('op_'), storedText)
      assert.deepEqual(await page.context().cookies(), [])
      assert.ok(sent.length > 0 && sent.every((path) => path.startsWith('/api/operator/')), sent.join(' '))
      await page.reload()
      await page.getByLabel('Operator credential').waitFor()
      assert.equal(await page.getByRole('table').count(), 0)
      await visitor.enter(stage.operatorKey)
      await page.getByRole('button', { name: 'Leave' }).click()
      await page.getByLabel('Operator credential').waitFor()
      await visitor.close()
    },
  )

  inRest(
    'the session of an administrator opens none of these pages, and a wrong credential says so by keyboard alone',
    async () => {
      const visitor = await stage.visit()
      const { page } = visitor
      await visitor.signIn(PEOPLE.admin, PASSWORD)
      await visitor.goTo(`${PATH}/tenants`)
      const field = page.getByLabel('Operator credential')
      await field.focus()
      await visitor.press('Enter')
      await page.getByText('Enter the credential.').waitFor()
      await page.keyboard.type('ks_0123456789')
      await visitor.press('Enter')
      await page.locator('.field-fault', { hasText: 'begins with op_' }).waitFor()
      await visitor.focusOn('Operator credential')
      await visitor.press('Control+a')
      await page.keyboard.type(`op_${'a'.repeat(40)}`)
      await visitor.press('Enter')
      await page.getByText('This credential is not valid.').waitFor()
      await visitor.assertSound('a refused credential')
      // Outside of OPERATOR_NETWORKS their paths do not exist.
      await page.route('**/api/operator/status', (route) => route.fulfill({ status: 404, json: { detail: [] } }))
      await visitor.press('Enter')
      await page.getByText('Operators are not served from your network.').waitFor()
      await visitor.close()
    },
  )

  inRest('the status tells of backups: the last one, one that failed, and that none are made any more', async () => {
    const visitor = await stage.visit()
    const { page } = visitor
    const hoursAgo = (hours: number): string => new Date(Date.now() - hours * 3_600_000).toISOString()
    const well = { every_hours: 24, missing: false, last_success_at: hoursAgo(3), bytes: 5_242_880, took_seconds: 2 }
    let backups: object = { ...well, last_failure_at: hoursAgo(30), failure: 'of yesterday' }
    await page.route('**/api/operator/status', async (route) => {
      const response = await route.fetch()
      await route.fulfill({ response, json: { ...(await response.json()), backups } })
    })
    await visitor.enter(stage.operatorKey, `${PATH}/status`)
    await page.getByText('Every 24 hours').waitFor()
    await page.getByText('3 hours ago').waitFor()
    await page.getByText('All is well').waitFor()
    assert.equal(await page.getByText('of yesterday').count(), 0)
    backups = { ...well, last_failure_at: hoursAgo(1), failure: 'Cannot write to /srv/backups (EACCES).' }
    await page.getByRole('button', { name: 'Check now' }).click()
    await page.getByText('The last backup failed: Cannot write to /srv/backups (EACCES).').waitFor()
    await visitor.assertSound('the status after a failed backup')
    backups = { ...well, last_success_at: hoursAgo(49), last_failure_at: null, failure: null }
    await page.getByRole('button', { name: 'Check now' }).click()
    await page.getByText('The last backup is long overdue.').waitFor()
    backups = { every_hours: null, missing: true, last_success_at: null, last_failure_at: null, failure: null }
    await page.getByRole('button', { name: 'Check now' }).click()
    await page.getByText('There is no recent backup.').waitFor()
    await visitor.close()
  })

  inRest('the status tells how far search indexes are behind, and warns when they are for long', async () => {
    const visitor = await stage.visit()
    const { page } = visitor
    let lag: object = {
      documents_behind: 7,
      indexes_behind: 1,
      behind_seconds: 2.5,
      indexes_building: 1,
      built_percent: 40,
    }
    await page.route('**/api/operator/status', async (route) => {
      const response = await route.fetch()
      const status = await response.json()
      await route.fulfill({ response, json: { ...status, search: { ...status.search, ...lag } } })
    })
    await visitor.enter(stage.operatorKey, `${PATH}/status`)
    const text = '7 missing for 3 s: the index is being built, 40 percent are done'
    await page.getByText(text, { exact: true }).waitFor()
    await page.getByText('All is well').waitFor()
    lag = { ...lag, behind_seconds: 60 }
    await page.getByRole('button', { name: 'Check now' }).click()
    await page.getByText('Search lacks the latest texts: 7 missing for 60 s').waitFor()
    await visitor.assertSound('the status of indexes that are behind')
    await visitor.close()
  })

  inGate(
    'a credential that is revoked in the middle of a change is asked for again, and the change goes through',
    async () => {
      const issued = await issueOperator(stage.service.database, { name: 'Short', expiresAt: null })
      const visitor = await stage.visit()
      const { page } = visitor
      await visitor.enter(issued.key, `${PATH}/tenants/second?tab=settings`)
      await page.getByLabel('Keep deleted entries for').fill('77')
      await visitor.press('Tab')
      await page.getByText('1 change is not saved').waitFor()
      await revokeOperator(stage.service.database, issued.id)
      await page.getByRole('button', { name: 'Save' }).click()
      const dialog = page.getByRole('dialog', { name: 'Enter the credential again' })
      await visitor.assertSound('the question for the credential')
      await dialog.getByLabel('Operator credential').fill(stage.operatorKey)
      await visitor.press('Enter')
      await page.getByText('Saved', { exact: true }).waitFor()
      assert.equal((await operator('GET', '/tenants/second')).body.settings.bin_days, 77)
      await visitor.close()
    },
  )

  inRest(
    'after an hour in which the operator does nothing the credential is asked for again, over what was typed',
    async () => {
      const visitor = await stage.visitAlone()
      const { page } = visitor
      await page.clock.install()
      await visitor.enter(stage.operatorKey, `${PATH}/tenants/second?tab=settings`)
      await page.getByLabel('Your reference').fill('customer-2')
      await page.clock.fastForward('59:00')
      await visitor.press('Shift')
      await page.clock.fastForward('59:00')
      const dialog = page.getByRole('dialog', { name: 'Enter the credential again' })
      assert.equal(await dialog.count(), 0, 'whoever works is not asked')
      await page.clock.fastForward('02:00')
      await dialog.getByLabel('Operator credential').fill(stage.operatorKey)
      await visitor.press('Enter')
      await dialog.waitFor({ state: 'detached' })
      assert.equal(await page.getByLabel('Your reference').inputValue(), 'customer-2')
      await page.getByRole('button', { name: 'Discard' }).click()
      await visitor.close()
    },
  )
}
