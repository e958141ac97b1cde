/**
 * Person or script that runs the installation, recognised by an operator credential. An operator stands above tenants,
 * and is a caller of none.
 */
export interface Operator {
  readonly id: string
  readonly name: string
}

/**
 * Finds the operator of an Authorization header.
 * @throws Fault `unauthorized` when the header has no valid operator credential
 */
export type ResolveOperator = (authorization: string | undefined) => Promise<Operator>
