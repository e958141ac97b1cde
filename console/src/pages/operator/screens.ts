import type { Screen } from '../../../../test/console/screen.ts'

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
  { name: 'operator-tenant-settings', as: 'operator', path: `${TENANT}?tab=settings`, ready: '.settings-group' },
  {
    name: 'operator-tenant-suspending',
    as: 'operator',
    path: TENANT,
    steps: (page) => page.locator('.tenant-state button').click(),
    ready: '[role=alertdialog]',
  },
  { name: 'operator-tenant-gone', as: 'operator', path: `${PATH}/tenants/nobody`, ready: '.empty' },
  { name: 'operator-status', as: 'operator', path: `${PATH}/status`, ready: '.meter' },
  { name: 'operator-log', as: 'operator', path: `${PATH}/log`, ready: '[role=table]' },
]
