import { encodeCursor, nextLink, pageIn, PageQuery } from '../../platform/contract/paging.ts'
import { ListOf } from '../../platform/contract/schema.ts'
import { compileSerialiser } from '../../platform/contract/serialise.ts'
import { sendPage } from '../../platform/http/answers/send-page.ts'
import type { RoutePlugin } from '../../platform/http/route.ts'
import { TenantQuotas, TenantQuotasChange } from '../../identity/quotas/contract.ts'
import {
  InstallationStatus,
  OperatedTenant,
  OperatorLogItem,
  RemovalQuery,
  removalGraceDays,
  TenantChange,
  TenantCreate,
  TenantCreated,
  TenantParams,
  TenantQuery,
  TenantUsage,
  TenantUsageByDay,
  UsageDaysQuery,
  UsageQuery,
} from './contract.ts'
import type { OperatorRules } from './rules.ts'
import { usageCsv } from './usage.ts'

const tags = ['Operators']
const url = '/api/operator/tenants'
const writeTenant = compileSerialiser(OperatedTenant)
const writeUsage = compileSerialiser(TenantUsage)
const writeLogItem = compileSerialiser(OperatorLogItem)
const params = TenantParams

/** Returns the routes of operators, who stand above tenants. No other credential opens them. */
export function operatorRoutes(rules: OperatorRules): RoutePlugin {
  return (app) => {
    app.route({
      method: 'POST',
      url,
      schema: {
        operationId: 'createTenant',
        tags,
        summary: 'Create a tenant',
        description:
          'With its default site, and the first administrator and key that are asked for. A `reference` that is known ' +
          'for the same id creates nothing and answers 200 without secrets, so that a script can run again.',
        body: TenantCreate,
        response: { 200: TenantCreated, 201: TenantCreated },
      },
      config: { operator: true, errors: [409] },
      handler: async (request, reply) => {
        const { isNew, answer } = await rules.create(request.operator, request.body)
        if (isNew) reply.code(201)
        return answer
      },
    })
    app.route({
      method: 'GET',
      url,
      schema: {
        operationId: 'listTenants',
        tags,
        summary: 'List tenants',
        description: 'Sorted by id. The Link header names the next page.',
        querystring: TenantQuery,
        response: { 200: ListOf(OperatedTenant) },
      },
      config: { operator: true, answerHeaders: ['Link'] },
      handler: async (request, reply) => {
        const { items, next } = await rules.list(request.query, pageIn(request.query, ['string']))
        return sendPage(request, reply, { items, next, keyOf: ({ id }) => [id], write: writeTenant })
      },
    })
    app.route({
      method: 'GET',
      url: `${url}/:tenant_id`,
      schema: {
        operationId: 'getTenant',
        tags,
        summary: 'Read a tenant',
        params,
        response: { 200: OperatedTenant },
      },
      config: { operator: true },
      handler: (request) => rules.read(request.params.tenant_id),
    })
    app.route({
      method: 'PATCH',
      url: `${url}/:tenant_id`,
      schema: {
        operationId: 'changeTenant',
        tags,
        summary: 'Change a tenant',
        description: 'In force from the next request on, in every process. Settings that are left out stay.',
        params,
        body: TenantChange,
        response: { 200: OperatedTenant },
      },
      config: { operator: true, errors: [409] },
      handler: (request) => rules.change(request.operator, request.params.tenant_id, request.body),
    })
    app.route({
      method: 'POST',
      url: `${url}/:tenant_id/suspend`,
      schema: {
        operationId: 'suspendTenant',
        tags,
        summary: 'Suspend a tenant',
        description:
          'From now on every request of the tenant gets 403 of type `tenant_suspended`, in every process, and background ' +
          'work leaves the tenant alone. Nothing is lost.',
        params,
        response: { 200: OperatedTenant },
      },
      config: { operator: true },
      handler: (request) => rules.suspend(request.operator, request.params.tenant_id),
    })
    app.route({
      method: 'POST',
      url: `${url}/:tenant_id/resume`,
      schema: {
        operationId: 'resumeTenant',
        tags,
        summary: 'Resume a suspended tenant',
        description: 'A tenant that is to be removed has to be kept first.',
        params,
        response: { 200: OperatedTenant },
      },
      config: { operator: true, errors: [409] },
      handler: (request) => rules.resume(request.operator, request.params.tenant_id),
    })
    app.route({
      method: 'DELETE',
      url: `${url}/:tenant_id`,
      schema: {
        operationId: 'removeTenant',
        tags,
        summary: 'Remove a suspended tenant after a grace period',
        description:
          'When the grace period is over, everything of the tenant is deleted in the background, within seconds for a ' +
          'small tenant. Until then `keep` cancels it. Asking again changes the time. What operators did stays in their log.',
        params,
        querystring: RemovalQuery,
        response: { 200: OperatedTenant },
      },
      config: { operator: true, errors: [409] },
      handler: (request) =>
        rules.planRemoval(request.operator, request.params.tenant_id, removalGraceDays(request.query)),
    })
    app.route({
      method: 'POST',
      url: `${url}/:tenant_id/keep`,
      schema: {
        operationId: 'keepTenant',
        tags,
        summary: 'Cancel the removal of a tenant',
        description: 'Possible until the removal begins. The tenant stays suspended.',
        params,
        response: { 200: OperatedTenant },
      },
      config: { operator: true, errors: [409] },
      handler: (request) => rules.cancelRemoval(request.operator, request.params.tenant_id),
    })
    app.route({
      method: 'GET',
      url: `${url}/:tenant_id/usage`,
      schema: {
        operationId: 'getTenantUsage',
        tags,
        summary: 'What a tenant has, and what it used by day',
        params,
        querystring: UsageDaysQuery,
        response: { 200: TenantUsageByDay },
      },
      config: { operator: true },
      handler: (request) => rules.usageOf(request.params.tenant_id, request.query),
    })
    app.route({
      method: 'GET',
      url: `${url}/:tenant_id/quotas`,
      schema: {
        operationId: 'getTenantQuotas',
        tags,
        summary: 'What a tenant may have and use, and has',
        params,
        response: { 200: TenantQuotas },
      },
      config: { operator: true },
      handler: (request) => rules.quotas(request.params.tenant_id),
    })
    app.route({
      method: 'PATCH',
      url: `${url}/:tenant_id/quotas`,
      schema: {
        operationId: 'changeTenantQuotas',
        tags,
        summary: 'Change what a tenant may have and use',
        description:
          'In force from the next request on, in every process. Quotas that are left out stay, null lifts one. What the ' +
          'tenant has beyond a new quota stays.',
        params,
        body: TenantQuotasChange,
        response: { 200: TenantQuotas },
      },
      config: { operator: true },
      handler: (request) => rules.changeQuotas(request.operator, request.params.tenant_id, request.body),
    })
    app.route({
      method: 'GET',
      url: '/api/operator/usage',
      schema: {
        operationId: 'listUsage',
        tags,
        summary: 'What tenants have and used',
        description:
          'Sorted by id, as JSON or CSV. What a tenant has is counted in the background about every ten minutes, ' +
          '`counted_at` says when; what it used from the first day to the last is half a minute behind. Filters as for the list of tenants. The Link header names the next page.',
        querystring: UsageQuery,
        response: { 200: ListOf(TenantUsage) },
      },
      config: { operator: true, answerHeaders: ['Link'] },
      handler: async (request, reply) => {
        const { items, next } = await rules.usage(request.query, pageIn(request.query, ['string']))
        if (request.query.format !== 'csv')
          return sendPage(request, reply, { items, next, keyOf: ({ tenant_id: id }) => [id], write: writeUsage })
        if (next !== null) reply.header('link', nextLink(request.url, encodeCursor(next)))
        return reply.header('content-type', 'text/csv; charset=utf-8').send(usageCsv(items) as never)
      },
    })
    app.route({
      method: 'GET',
      url: '/api/operator/log',
      schema: {
        operationId: 'listOperatorLog',
        tags,
        summary: 'What operators did',
        description: 'The audit log of the installation, newest first. The Link header names the next page.',
        querystring: PageQuery,
        response: { 200: ListOf(OperatorLogItem) },
      },
      config: { operator: true, answerHeaders: ['Link'] },
      handler: async (request, reply) => {
        const { items, next } = await rules.log(pageIn(request.query, ['integer', 'string']))
        const keyOf = ({ at, id }: OperatorLogItem) => [Date.parse(at), id]
        return sendPage(request, reply, { items, next, keyOf, write: writeLogItem })
      },
    })
    app.route({
      method: 'GET',
      url: '/api/operator/status',
      schema: {
        operationId: 'getInstallationStatus',
        tags,
        summary: 'How the installation is',
        response: { 200: InstallationStatus },
      },
      config: { operator: true },
      handler: () => rules.status(),
    })
  }
}
