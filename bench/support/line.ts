/** A straight line through measured points. */
export interface Line {
  readonly fixed: number
  readonly each: number
  /** Distance of the furthest point from the line, in percent of the largest point. */
  readonly offPercent: number
  at(x: number): number
}

/** Returns the line through points by least squares. */
export function lineThrough(points: readonly (readonly [x: number, y: number])[]): Line {
  const mean = (of: 0 | 1): number => points.reduce((sum, point) => sum + point[of], 0) / points.length
  const [meanX, meanY] = [mean(0), mean(1)]
  const together = points.reduce((sum, [x, y]) => sum + (x - meanX) * (y - meanY), 0)
  const each = together / points.reduce((sum, [x]) => sum + (x - meanX) ** 2, 0)
  const fixed = meanY - each * meanX
  const at = (x: number): number => fixed + each * x
  const off = Math.max(...points.map(([x, y]) => Math.abs(y - at(x))))
  return { fixed, each, at, offPercent: (off / Math.max(...points.map(([, y]) => Math.abs(y)))) * 100 }
}
