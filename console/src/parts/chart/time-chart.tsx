import { lazy, Suspense } from 'react'
import { lazyFile } from '../../api/lazy-file.ts'
import type { TimeChartProps } from './time-chart-drawing.tsx'

const Drawing = lazy(() => lazyFile(() => import('./time-chart-drawing.tsx')))

/** Shows values by day as lines. The drawing, and the library behind it, are fetched when a chart is shown. */
export function TimeChart(props: TimeChartProps) {
  return (
    <div className="chart">
      <ul className="chart-legend">
        {props.series.map(({ name }, i) => (
          <li key={name} className={`chart-key chart-${i}`}>
            {name}
          </li>
        ))}
      </ul>
      <div className="chart-place">
        <Suspense>
          <Drawing {...props} />
        </Suspense>
      </div>
    </div>
  )
}
