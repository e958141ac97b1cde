import type { Screen } from '../screen.ts'

const PATH = '/console/operator'
const TENANT = `${PATH}/tenants/second`

export const screens: readonly Screen[] = [
  { name: 'operator-entry', as: null, path: PATH, ready: '[name=credential]' },
  {
    name: 'operator-entry-refused',
    as: null,
    path: PATH,
    steps: async (page) => {
      await page.locator('[name=credential]').fill(`op_${'x'.repeat(40)}`)
      await page.locator('form [type=submit]').click()
    },
    ready: '.notice-danger',
  },
  { name: 'operator-tenants', as: 'operator', path: `${PATH}/tenants`, ready: '[role=table]' },
  { name: 'operator-tenants-nothing', as: 'operator', path: `${PATH}/tenants?q=nobody`, ready: '.empty' },
  {
    name: 'operator-tenants-creating',
    as: 'operator',
    path: `${PATH}/tenants`,
    steps: async (page) => {
      await page.locator('.page-head .button-main').click()
      await page.locator('[name=id]').fill('Werkzeug Müller')
      await page.locator('.dialog [type=submit]').click()
    },
    ready: '.dialog .field-fault',
  },
  { name: 'operator-tenant', as: 'operator', path: TENANT, ready: '.figure' },
  { name: 'operator-tenant-quotas', as: 'operator', path: `${TENANT}?tab=quotas`, ready: '.settings-group' },
  { name: 'operator-tenant-settings', as: 'operator', path: `${TENANT}?tab=settings`, ready: '.settings-group' },
  {
    name: 'operator-tenant-suspending',
    as: 'operator',
    path: TENANT,
    steps: (page) => page.locator('.tenant-state button').click(),
    onlyOpens: true,
    ready: '[role=alertdialog]',
  },
  { name: 'operator-tenant-gone', as: 'operator', path: `${PATH}/tenants/nobody`, ready: '.empty' },
  { name: 'operator-status', as: 'operator', path: `${PATH}/status`, ready: '.meter' },
  {
    name: 'operator-status-backup-failed',
    as: 'operator',
    path: `${PATH}/status`,
    steps: async (page) => {
      await page.locator('.meter').waitFor()
      await page.route('**/api/operator/status', async (route) => {
        const response = await route.fetch()
        const times = { last_success_at: '2026-11-20T02:00:00.000Z', last_failure_at: '2026-11-21T02:00:00.000Z' }
        const failure = 'Cannot write to /srv/backups (EACCES).'
        const backups = { every_hours: 24, missing: true, ...times, failure, bytes: 5_242_880, took_seconds: 2 }
        await route.fulfill({ response, json: { ...(await response.json()), backups } })
      })
      await page.locator('.page-head button').click()
    },
    ready: '.notice-warning',
  },
  { name: 'operator-log', as: 'operator', path: `${PATH}/log`, ready: '[role=table]' },
]
