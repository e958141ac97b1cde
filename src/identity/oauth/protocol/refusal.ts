/** A refusal with an error code of RFC 6749, section 5.2 or RFC 7591, section 3.2.2. */
export class OAuthRefusal extends Error {
  readonly status: number
  readonly code: string
  readonly description: string | undefined
  constructor(status: number, code: string, description?: string) {
    super(description ?? code)
    this.status = status
    this.code = code
    this.description = description
  }
}
