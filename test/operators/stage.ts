import { issueOperator } from '../../src/identity/operators/rules.ts'
import type { DatabaseKind } from '../support/databases.ts'
import { type Answer, TestService } from '../support/service.ts'

export const TENANTS = '/api/operator/tenants'
export const CATEGORIES = '/api/knowledge/categories'

/** A service with an operator. */
export class OperatorStage {
  readonly service: TestService
  readonly key: string
  readonly operatorId: string

  private constructor(service: TestService, { id, key }: { id: string; key: string }) {
    this.service = service
    this.operatorId = id
    this.key = key
  }

  static async start(kind: DatabaseKind, settings: Readonly<Record<string, string>> = {}): Promise<OperatorStage> {
    const service = await TestService.start(kind, settings)
    await service.judgeAnswers()
    return new OperatorStage(service, await issueOperator(service.database, { name: 'Script', expiresAt: null }))
  }

  /** Sends a request of the operator. */
  call(method: string, path: string, body?: unknown): Promise<Answer> {
    return this.service.call(method, path, { key: this.key, body })
  }

  /** Makes a tenant with an administrator and a key, as the operator. */
  async tenant(id: string): Promise<{ key: string; email: string; password: string }> {
    const email = `boss@${id}.example`
    const { body } = await this.call('POST', TENANTS, { id, administrator: { email }, api_key: { name: 'First' } })
    return { key: body.api_key.key, email, password: body.administrator.password }
  }

  stop(): Promise<void> {
    return this.service.stop()
  }
}

/** Returns the faults of an answer as `status loc type`. */
export const said = ({ status, body }: Answer): string[] =>
  body.detail.map(({ loc, type }: { loc: string[]; type: string }) => `${status} ${loc.join('.')} ${type}`)
