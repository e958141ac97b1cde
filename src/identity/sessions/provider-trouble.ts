/** Reports that the outside provider does not answer, or that its answer does not identify the person. */
export class ProviderTrouble extends Error {
  override readonly name = 'ProviderTrouble'
}
