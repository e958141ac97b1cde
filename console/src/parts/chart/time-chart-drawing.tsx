import { AxisBottom, AxisLeft, type TickRendererProps } from '@visx/axis'
import { GridRows } from '@visx/grid'
import { scaleLinear, scaleUtc } from '@visx/scale'
import { AreaClosed, LinePath } from '@visx/shape'
import { type PointerEvent, useLayoutEffect, useRef, useState } from 'react'
import { useLanguage } from '../../i18n/language.tsx'
import { axisSteps } from './steps.ts'

interface TimePoint {
  /** Day in UTC, such as "2026-11-22". */
  readonly day: string
  /** Value for each series; null where a series has none that day. */
  readonly values: readonly (number | null)[]
}

export interface TimeChartProps {
  /** Subject of the chart, read out by screen readers. */
  readonly label: string
  /** Series of the chart; the first is drawn as an area. */
  readonly series: readonly { readonly name: string }[]
  readonly points: readonly TimePoint[]
  readonly format: (value: number) => string
  /** Whether values are counts. */
  readonly isWhole?: boolean
}

const HEIGHT_PX = 220
const EDGE = { top: 12, right: 28, bottom: 28, left: 52 } as const
/** Room for a day below the axis. */
const DAY_PX = 88
/** Most points for which each is marked: a line through few points hides where they are. */
const MARKED_POINTS_MAX = 14

/** Draws lines over days, as wide as its place. Pointing at the drawing shows the values of that day. */
export default function TimeChartDrawing({ label, series, points, format, isWhole = false }: TimeChartProps) {
  const place = useRef<HTMLDivElement>(null)
  const [width, setWidth] = useState(0)
  const [pointedIndex, setPointedIndex] = useState<number | null>(null)
  const { formats } = useLanguage()
  useLayoutEffect(() => {
    const { current } = place
    if (current === null) return
    const watcher = new ResizeObserver(([entry]) => setWidth(Math.floor(entry?.contentRect.width ?? 0)))
    watcher.observe(current)
    return () => watcher.disconnect()
  }, [])
  const times = points.map(({ day }) => Date.parse(day))
  const steps = axisSteps(Math.max(0, ...points.flatMap(({ values }) => values.map((value) => value ?? 0))), isWhole)
  const x = scaleUtc({ domain: [times[0] ?? 0, times.at(-1) ?? 1], range: [EDGE.left, width - EDGE.right] })
  const y = scaleLinear({ domain: [0, steps.at(-1) ?? 1], range: [HEIGHT_PX - EDGE.bottom, EDGE.top] })
  const xOf = (i: number): number => (times.length === 1 ? (EDGE.left + width - EDGE.right) / 2 : x(times[i] ?? 0))
  const indices = points.map((_, i) => i)
  const line = (k: number) => ({
    data: indices,
    x: xOf,
    y: (i: number): number => y(points[i]?.values[k] ?? 0),
    defined: (i: number): boolean => points[i]?.values[k] !== null,
    className: `chart-line chart-${k}`,
  })
  const point = (event: PointerEvent<SVGSVGElement>): void => {
    const along = event.clientX - event.currentTarget.getBoundingClientRect().left
    setPointedIndex(indices.reduce((best, i) => (Math.abs(xOf(i) - along) < Math.abs(xOf(best) - along) ? i : best), 0))
  }
  const pointed = pointedIndex === null ? undefined : points[pointedIndex]
  return (
    <div ref={place} className="chart-drawing">
      {width === 0 ? null : (
        <svg
          role="img"
          aria-label={label}
          width={width}
          height={HEIGHT_PX}
          onPointerMove={point}
          onPointerLeave={() => setPointedIndex(null)}
        >
          <GridRows
            scale={y}
            left={EDGE.left}
            width={width - EDGE.left - EDGE.right}
            tickValues={[...steps]}
            className="chart-grid"
          />
          <AxisLeft
            scale={y}
            left={EDGE.left}
            tickValues={[...steps]}
            tickFormat={(value) => format(Number(value))}
            tickComponent={(tick) => <Tick {...tick} anchor="end" />}
            hideAxisLine
            hideTicks
          />
          <AxisBottom
            scale={x}
            top={HEIGHT_PX - EDGE.bottom}
            tickValues={daysBelow(times, width)}
            tickFormat={(value) => formats.utcDay(new Date(Number(value)).toISOString(), 'short')}
            tickComponent={(tick) => <Tick {...tick} anchor="middle" />}
            axisLineClassName="chart-axis"
            hideTicks
          />
          <AreaClosed {...line(0)} yScale={y} className="chart-area" />
          {series.map(({ name }, k) => (
            <LinePath key={name} {...line(k)} />
          ))}
          {series.map(({ name }, k) =>
            indices
              .filter(
                (i) => (points.length <= MARKED_POINTS_MAX || i === pointedIndex) && points[i]?.values[k] !== null,
              )
              .map((i) => (
                <circle
                  key={`${name} ${i}`}
                  cx={xOf(i)}
                  cy={y(points[i]?.values[k] ?? 0)}
                  r={i === pointedIndex ? 4 : 2.5}
                  className={`chart-dot chart-${k}`}
                />
              )),
          )}
          {pointedIndex === null ? null : (
            <line
              className="chart-pointer"
              x1={xOf(pointedIndex)}
              x2={xOf(pointedIndex)}
              y1={EDGE.top}
              y2={HEIGHT_PX - EDGE.bottom}
            />
          )}
        </svg>
      )}
      {pointed === undefined || pointedIndex === null ? null : (
        <div
          className={xOf(pointedIndex) > width / 2 ? 'chart-note chart-note-left' : 'chart-note'}
          style={{ left: xOf(pointedIndex) }}
          aria-hidden
        >
          <strong>{formats.utcDay(pointed.day, 'short')}</strong>
          {series.map(({ name }, k) => (
            <span key={name} className={`chart-key chart-${k}`}>
              {name} <b>{pointed.values[k] == null ? '–' : format(pointed.values[k])}</b>
            </span>
          ))}
        </div>
      )}
    </div>
  )
}

/** Draws a text beside an axis; its looks are in the style sheet. */
function Tick({ x, y, formattedValue, anchor }: TickRendererProps & { readonly anchor: 'middle' | 'end' }) {
  return (
    <text
      x={x}
      y={y}
      textAnchor={anchor}
      dominantBaseline={anchor === 'end' ? 'middle' : 'hanging'}
      className="chart-tick"
    >
      {formattedValue}
    </text>
  )
}

/**
 * Returns the days that are written below the axis: as many as there is room for, at equal distances, today among them.
 */
function daysBelow(times: readonly number[], width: number): number[] {
  const count = Math.max(2, Math.floor((width - EDGE.left - EDGE.right) / DAY_PX))
  const every = Math.max(1, Math.ceil((times.length - 1) / Math.max(1, count - 1)))
  return times.filter((_, i) => (times.length - 1 - i) % every === 0)
}
