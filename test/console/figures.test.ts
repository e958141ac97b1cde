import assert from 'node:assert/strict'
import { test } from 'node:test'
import { everyDay } from '../../console/src/pages/insights/figures.ts'
import { readChoices } from '../../console/src/pages/insights/choices.ts'
import { axisSteps } from '../../console/src/parts/chart/steps.ts'

test('the values beside a chart are round, reach above the highest, and are whole for counts', () => {
  for (const [highest, isWhole, steps] of [
    [0, true, [0, 1, 2, 3]],
    [1, true, [0, 1, 2, 3]],
    [7, true, [0, 3, 6, 9]],
    [98, true, [0, 50, 100, 150]],
    [1_240, true, [0, 500, 1_000, 1_500]],
    [0.3, false, [0, 0.1, 0.2, 0.3]],
    [0.62, false, [0, 0.25, 0.5, 0.75]],
  ] as const) {
    const axisValues = axisSteps(highest, isWhole).map((step) => Math.round(step * 1_000) / 1_000)
    assert.deepEqual(axisValues, steps, String(highest))
  }
})

test('days without a search are there, with nothing counted', () => {
  const figures = {
    searches: 2,
    clicked: 1,
    click_through_rate: 0.5,
    mean_reciprocal_rank: 1,
    zero_results: 0,
    zero_clicks: 1,
  }
  const days = everyDay({
    from: '2026-10-30T00:00:00.000Z',
    to: '2026-11-01T09:30:00.000Z',
    by_day: [{ day: '2026-10-31', ...figures }],
  })
  assert.deepEqual(
    days.map(({ day, searches, click_through_rate: rate }) => [day, searches, rate]),
    [
      ['2026-10-30', 0, null],
      ['2026-10-31', 2, 0.5],
      ['2026-11-01', 0, null],
    ],
  )
})

test('an address of insights that makes no sense still shows figures', () => {
  assert.deepEqual(
    readChoices({ days: 12, site: 'x', section: 'all', all: 'yes', tables: 'searches', learnt: '  ' }),
    {},
  )
  assert.deepEqual(readChoices({ days: 7, section: 'products', tables: ['sites', 'nonsense'], learnt: 2026 }), {
    days: 7,
    section: 'products',
    tables: ['sites'],
    learnt: '2026',
  })
})
