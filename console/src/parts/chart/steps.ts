/** Factors of round numbers. */
const ROUND = [1, 2, 2.5, 5, 10]
const STEPS = 3

/**
 * Returns the values beside a chart: nought, a third, two thirds and the top, all round.
 * @param highest the highest value that is drawn
 * @param isWhole whether all values are whole numbers
 */
export function axisSteps(highest: number, isWhole: boolean): readonly number[] {
  const least = highest <= 0 ? (isWhole ? 1 : 0.1) : highest / STEPS
  const size = 10 ** Math.floor(Math.log10(least))
  const step = (ROUND.find((factor) => factor * size >= least * 0.999999) ?? 10) * size
  const round = isWhole ? Math.ceil(step) : step
  return Array.from({ length: STEPS + 1 }, (_, i) => i * round)
}
