import { Ajv, type ValidateFunction } from 'ajv'
import type { Manifest } from './chart.ts'

/**
 * Schemas of the kinds of objects that the manifests have, with the fields that they use, as the API of Kubernetes
 * declares them (kubernetes.io/docs/reference/kubernetes-api). Fields that are not here are refused, because
 * Kubernetes drops a misspelt one without a word.
 */

const text = { type: 'string', minLength: 1 }
const whole = { type: 'integer', minimum: 0 }
const flag = { type: 'boolean' }
const texts = { type: 'object', additionalProperties: { type: 'string' } }
/** An amount of memory or processors. */
const amount = { type: 'string', pattern: '^[0-9]+(\\.[0-9]+)?(m|Ki|Mi|Gi|Ti)?$' }
/** The name of an object, or of a port. */
const label = { type: 'string', pattern: '^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$' }
const port = { type: 'integer', minimum: 1, maximum: 65_535 }

const only = (properties: object, required: readonly string[] = []) => ({
  type: 'object',
  additionalProperties: false,
  properties,
  required,
})
const listOf = (items: object) => ({ type: 'array', minItems: 1, items })
const oneOf = (...values: readonly string[]) => ({ enum: values })

const metadata = only({ name: label, labels: texts, annotations: texts }, ['name'])
const selector = only({ matchLabels: { ...texts, minProperties: 1 } }, ['matchLabels'])
const amounts = only({ cpu: amount, memory: amount })

const probe = only(
  {
    httpGet: only({ path: { type: 'string', pattern: '^/' }, port: label }, ['path', 'port']),
    initialDelaySeconds: whole,
    periodSeconds: { ...whole, minimum: 1 },
    timeoutSeconds: { ...whole, minimum: 1 },
    failureThreshold: { ...whole, minimum: 1 },
  },
  ['httpGet'],
)

const container = only(
  {
    name: label,
    image: text,
    imagePullPolicy: oneOf('Always', 'IfNotPresent', 'Never'),
    // Values are texts; a number or a boolean without quotes is refused.
    env: listOf(only({ name: { type: 'string', pattern: '^[A-Z][A-Z0-9_]*$' }, value: text }, ['name', 'value'])),
    envFrom: listOf(only({ secretRef: only({ name: label }, ['name']) }, ['secretRef'])),
    ports: listOf(only({ name: { ...label, maxLength: 15 }, containerPort: port }, ['containerPort'])),
    livenessProbe: probe,
    readinessProbe: probe,
    startupProbe: probe,
    resources: only({ requests: amounts, limits: amounts }),
    securityContext: only({
      allowPrivilegeEscalation: flag,
      readOnlyRootFilesystem: flag,
      capabilities: only({ drop: listOf(text) }),
    }),
    volumeMounts: listOf(only({ name: label, mountPath: { type: 'string', pattern: '^/' } }, ['name', 'mountPath'])),
  },
  ['name', 'image'],
)

const pod = only(
  {
    automountServiceAccountToken: flag,
    enableServiceLinks: flag,
    terminationGracePeriodSeconds: whole,
    imagePullSecrets: listOf(only({ name: label }, ['name'])),
    securityContext: only({
      runAsNonRoot: flag,
      runAsUser: whole,
      runAsGroup: whole,
      fsGroup: whole,
      fsGroupChangePolicy: oneOf('OnRootMismatch', 'Always'),
      seccompProfile: only({ type: oneOf('RuntimeDefault', 'Localhost', 'Unconfined') }, ['type']),
    }),
    topologySpreadConstraints: listOf(
      only(
        {
          maxSkew: { ...whole, minimum: 1 },
          topologyKey: text,
          whenUnsatisfiable: oneOf('DoNotSchedule', 'ScheduleAnyway'),
          labelSelector: selector,
        },
        ['maxSkew', 'topologyKey', 'whenUnsatisfiable'],
      ),
    ),
    containers: listOf(container),
    volumes: listOf(only({ name: label, emptyDir: only({ sizeLimit: amount }) }, ['name'])),
  },
  ['containers'],
)

const claim = only(
  {
    metadata: only({ name: label }, ['name']),
    spec: only(
      {
        accessModes: listOf(oneOf('ReadWriteOnce', 'ReadWriteOncePod', 'ReadWriteMany', 'ReadOnlyMany')),
        storageClassName: text,
        resources: only({ requests: only({ storage: amount }, ['storage']) }, ['requests']),
      },
      ['accessModes', 'resources'],
    ),
  },
  ['metadata', 'spec'],
)

const SPECS: Readonly<Record<string, object>> = {
  'apps/v1 StatefulSet': only(
    {
      replicas: whole,
      serviceName: label,
      podManagementPolicy: oneOf('OrderedReady', 'Parallel'),
      updateStrategy: only({ type: oneOf('RollingUpdate', 'OnDelete') }, ['type']),
      selector,
      template: only({ metadata: only({ labels: texts }, ['labels']), spec: pod }, ['metadata', 'spec']),
      volumeClaimTemplates: listOf(claim),
    },
    ['selector', 'serviceName', 'template'],
  ),
  'v1 Service': only(
    {
      clusterIP: oneOf('None'),
      publishNotReadyAddresses: flag,
      selector: { ...texts, minProperties: 1 },
      ports: listOf(only({ name: label, port, targetPort: label }, ['port'])),
    },
    ['selector', 'ports'],
  ),
  'policy/v1 PodDisruptionBudget': only({ maxUnavailable: whole, selector }, ['selector']),
  'networking.k8s.io/v1 NetworkPolicy': only(
    {
      podSelector: selector,
      policyTypes: listOf(oneOf('Ingress', 'Egress')),
      ingress: listOf(
        only({
          ports: listOf(only({ port: label }, ['port'])),
          from: listOf(only({ podSelector: selector, namespaceSelector: selector })),
        }),
      ),
    },
    ['podSelector'],
  ),
  'networking.k8s.io/v1 Ingress': only({
    ingressClassName: label,
    tls: listOf(only({ hosts: listOf(text), secretName: label })),
    rules: listOf(
      only({
        host: text,
        http: only(
          {
            paths: listOf(
              only(
                {
                  path: { type: 'string', pattern: '^/' },
                  pathType: oneOf('Exact', 'Prefix', 'ImplementationSpecific'),
                  backend: only(
                    { service: only({ name: label, port: only({ name: label }, ['name']) }, ['name', 'port']) },
                    ['service'],
                  ),
                },
                ['path', 'pathType', 'backend'],
              ),
            ),
          },
          ['paths'],
        ),
      }),
    ),
  }),
}

const ajv = new Ajv({ allErrors: true })
const validators = new Map<string, ValidateFunction>(
  Object.entries(SPECS).map(([kind, spec]) => [
    kind,
    ajv.compile(only({ apiVersion: text, kind: text, metadata, spec }, ['apiVersion', 'kind', 'metadata', 'spec'])),
  ]),
)

/** Returns what is wrong with an object of Kubernetes; nothing when all of it is known. */
export function checkManifest(manifest: Manifest): string[] {
  const kind = `${manifest.apiVersion} ${manifest.kind}`
  const validate = validators.get(kind)
  if (validate === undefined) return [`${kind} is not known`]
  if (validate(manifest)) return []
  return (validate.errors ?? []).map(({ instancePath, message, params }) =>
    [instancePath, message, JSON.stringify(params)].join(' '),
  )
}
