import { getRouteApi } from '@tanstack/react-router'
import { useLanguage } from '../../i18n/language.tsx'
import type { Run } from './queries.ts'
import { useRunNames } from './run-names.ts'
import { useJudgedSetWords } from './words.ts'

const route = getRouteApi('/signed-in/console/judged-sets/$setId')

const WIDTH = 640
const HEIGHT = 200
/** Room for the numbers of the axis, and for half a point. */
const LEFT = 44
const EDGE = 10
const STEPS = [0, 0.25, 0.5, 0.75, 1] as const

/** Draws a point for each run, evenly apart, the oldest first, and marks the runs that are compared. */
export function QualityChart({ runs }: { readonly runs: readonly Run[] }) {
  const { formats } = useLanguage()
  const { quality: words } = useJudgedSetWords()
  const names = useRunNames()
  const { from, to } = route.useSearch()
  const x = (i: number): number => LEFT + ((WIDTH - LEFT - EDGE) * (i + 0.5)) / runs.length
  const y = (share: number): number => EDGE + (HEIGHT - 2 * EDGE) * (1 - share)
  const points = runs.map((run, i) => ({ run, x: x(i), y: y(run.ndcg ?? 0) }))
  return (
    <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} className="quality-chart" role="img" aria-label={words.chart}>
      {STEPS.map((share) => (
        <g key={share}>
          <line className="chart-grid" x1={LEFT} x2={WIDTH} y1={y(share)} y2={y(share)} />
          <text className="chart-number" x={LEFT - 6} y={y(share)} dy="0.32em" textAnchor="end">
            {formats.percent(share)}
          </text>
        </g>
      ))}
      <polyline className="chart-line" points={points.map((point) => `${point.x},${point.y}`).join(' ')} />
      {points.map((point) => (
        <circle
          key={point.run.id}
          className={point.run.id === from || point.run.id === to ? 'chart-point chosen' : 'chart-point'}
          cx={point.x}
          cy={point.y}
          r={5}
        >
          <title>{`${formats.percent(point.run.ndcg ?? 0)} · ${names.whole(point.run)}`}</title>
        </circle>
      ))}
    </svg>
  )
}
