import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { type Bill, bundledPackages, installedPackages, wholeBill } from '../../scripts/sbom.ts'

const refsOf = ({ components }: Bill) => components.map((each) => each['bom-ref'])

test('the bill of materials has every package that an installation or the console’s pages contain, each once', () => {
  const bill = wholeBill()
  const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string }
  assert.equal(bill.bomFormat, 'CycloneDX')
  assert.deepEqual([bill.metadata.component.name, bill.metadata.component.version], ['knowledge-service', version])
  const refs = refsOf(bill)
  assert.equal(new Set(refs).size, refs.length)
  for (const used of [installedPackages(), bundledPackages()]) {
    assert.ok(used.size > 20)
    assert.deepEqual(
      [...used].filter((name) => !refs.includes(name)),
      [],
    )
  }
  assert.ok(!refs.some((ref) => ref.startsWith('oxlint@') || ref.startsWith('typescript@')))
  const known = new Set([...refs, bill.metadata.component['bom-ref']])
  for (const { ref, dependsOn } of bill.dependencies)
    for (const each of [ref, ...dependsOn]) assert.ok(known.has(each), each)
})
