import { useWindowVirtualizer } from '@tanstack/react-virtual'
import { type RefObject, useEffect, useState } from 'react'

/** Assumed height of a row until rows are drawn. */
const ROW_PX = 48
const OVERSCAN = 12

/**
 * Draws those of many rows that are near the window.
 * @param options.count number of all rows; 0 while all are drawn
 * @param options.body element around the rows
 * @returns the virtualizer, and the top of the body on the page, pixels
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
    // Content above the table may change its height at any time, and with it the page's.
    const watch = new ResizeObserver(() => {
      if (body.current === null) return
      setTop(Math.round(body.current.getBoundingClientRect().top + window.scrollY))
      // Rows with another height than assumed move all rows below, also one that is just being clicked.
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
    // A new function at each rendering: otherwise the virtualizer does not notice that the assumed height changed.
    getItemKey: (i) => keyOf(i),
  })
  return { virtual, top }
}
