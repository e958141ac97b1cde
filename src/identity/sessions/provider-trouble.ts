/** The outside provider does not answer, or not in a way that says who somebody is. Nothing is known of the person. */
export class ProviderTrouble extends Error {
  override readonly name = 'ProviderTrouble'
}
