/** Account at the outside provider that waits for the proof of the local account with the same address. */
export interface PendingLink {
  readonly tenantId: string
  readonly userId: string
  readonly issuer: string
  readonly subject: string
}
