/**
 * Draws a chart of ratios as SVG: bars to the left and right of 1 on a logarithmic axis, for reading on any background.
 */

interface RatioBar {
  readonly label: string
  readonly ratio: number
}

interface RatioGroup {
  readonly label: string
  readonly bars: readonly RatioBar[]
}

const WIDTH = 800
const LEFT = 230
const RIGHT = 70
const TOP = 58
const BAR = 16
const STEP = 22
const GAP = 20
const AXIS = 30
const FONT = 'font-family="system-ui, sans-serif"'
const INK = '#1f2933'
const FAINT = '#d5dbe1'
const MORE = '#2f6f9f'
const LESS = '#c2703d'
const TICKS = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000]

/**
 * Draws the chart.
 * @param note meaning of a bar to the right
 */
export function ratioChart(title: string, note: string, groups: readonly RatioGroup[]): string {
  const ratios = groups.flatMap(({ bars }) => bars.map(({ ratio }) => ratio))
  const ticks = ticksAround(Math.min(1, ...ratios), Math.max(1, ...ratios))
  const [least, most] = [Math.log(ticks[0]), Math.log(ticks.at(-1) ?? 1)]
  const x = (ratio: number): number =>
    round(LEFT + ((Math.log(ratio) - least) / (most - least)) * (WIDTH - LEFT - RIGHT))
  const lines: string[] = []
  let y = TOP
  for (const { label, bars } of groups) {
    lines.push(text(12, y + 12, label, 'font-weight="600"'))
    for (const bar of bars) {
      lines.push(...barLines(bar, x, y))
      y += STEP
    }
    y += GAP
  }
  const bottom = y - GAP + 4
  const axis = ticks.flatMap((tick) => [
    `<line x1="${x(tick)}" y1="${TOP - 6}" x2="${x(tick)}" y2="${bottom}" stroke="${tick === 1 ? INK : FAINT}"/>`,
    text(x(tick), bottom + 16, String(tick), 'text-anchor="middle"'),
  ])
  const height = bottom + AXIS
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${height}" viewBox="0 0 ${WIDTH} ${height}" role="img">`,
    `<title>${escaped(title)}</title>`,
    `<rect width="${WIDTH}" height="${height}" fill="#ffffff"/>`,
    text(12, 22, title, 'font-weight="600" font-size="15"'),
    text(12, 40, note, 'font-size="12"'),
    ...axis,
    ...lines,
    '</svg>',
    '',
  ].join('\n')
}

function barLines({ label, ratio }: RatioBar, x: (ratio: number) => number, y: number): string[] {
  const [from, to] = [Math.min(x(1), x(ratio)), Math.max(x(1), x(ratio))]
  const colour = ratio >= 1 ? MORE : LESS
  const value = ratio >= 10 ? ratio.toFixed(0) : ratio.toFixed(2)
  const beside = ratio >= 1 ? [to + 5, 'start'] : [from - 5, 'end']
  return [
    text(LEFT - 60, y + 12, label, 'text-anchor="end"'),
    `<rect x="${from}" y="${y}" width="${round(Math.max(1, to - from))}" height="${BAR}" fill="${colour}"/>`,
    text(Number(beside[0]), y + 12, value, `text-anchor="${beside[1]}"`),
  ]
}

/** Returns the ticks from the last at or below the least ratio to the first at or above the greatest. */
function ticksAround(least: number, most: number): number[] {
  const from = Math.max(
    0,
    TICKS.findLastIndex((tick) => tick <= Math.min(0.5, least)),
  )
  const to = TICKS.findIndex((tick) => tick >= Math.max(2, most))
  return TICKS.slice(from, to < 0 ? undefined : to + 1)
}

function text(x: number, y: number, content: string, attributes: string): string {
  const size = attributes.includes('font-size') ? '' : ' font-size="13"'
  return `<text x="${x}" y="${y}" fill="${INK}" ${FONT}${size} ${attributes}>${escaped(content)}</text>`
}

function escaped(content: string): string {
  return content.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
}

function round(value: number): number {
  return Math.round(value * 10) / 10
}
