import { useWindowVirtualizer } from '@tanstack/react-virtual'
import { type RefObject, useEffect, useState } from 'react'

/** Until rows are drawn. */
const ROW_PX = 48
const OVERSCAN = 12

/**
 * Draws those of many rows that are near the window.
 * @param options.count of all rows; 0 while all are drawn
 * @param options.body what the rows lie in
 * @returns the virtualizer, and where the body begins on the page, pixels
 */
export function useWindowRows(options: {
  readonly count: number
  readonly keyOf: (i: number) => string
  readonly body: RefObject<HTMLElement | null>
}) {
  const { count, keyOf, body } = options
  const isVirtual = count > 0
  const [top, setTop] = useState(0)
  const [rowPx, setRowPx] = useState(ROW_PX)
  useEffect(() => {
    if (!isVirtual) return
    let width = 0
    // What stands above the table may change its height at any time, and with it the page's.
    const watch = new ResizeObserver(() => {
      if (body.current === null) return
      setTop(Math.round(body.current.getBoundingClientRect().top + window.scrollY))
      // Rows that turn out to have another height than supposed move everything below, also what somebody clicks.
      if (body.current.clientWidth === width || body.current.childElementCount === 0) return
      width = body.current.clientWidth
      const heights = Array.from(body.current.children, (row) => row.getBoundingClientRect().height)
      setRowPx(Math.round(heights.reduce((sum, height) => sum + height) / heights.length))
    })
    watch.observe(document.body)
    return () => watch.disconnect()
  }, [isVirtual, body])
  // oxlint-disable-next-line react/incompatible-library -- nothing here is memoized by the compiler
  const virtual = useWindowVirtualizer({
    count,
    estimateSize: () => rowPx,
    overscan: OVERSCAN,
    scrollMargin: top,
    // Another function at each rendering: the virtualizer does not notice otherwise that rows are supposed higher.
    getItemKey: (i) => keyOf(i),
  })
  return { virtual, top }
}
