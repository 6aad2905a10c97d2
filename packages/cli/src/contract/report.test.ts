import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Bundle, type Operation, readBundle } from './bundle.ts'
import { reportOn } from './report.ts'

const list: Operation = {
  name: 'orders.list',
  method: 'GET',
  path: '/orders',
  proof: false,
  input: {},
  answers: { 200: {} },
}
const add = { ...list, name: 'orders.add' }

function bundle(contractVersion: string, operations = [list], contract = 'shop'): Bundle {
  return { contract, contractVersion, operations, types: {}, errors: {} }
}

describe('a contract that is compared with its file', () => {
  it.each<[what: string, now: Bundle, verdict: string]>([
    [
      'is the same',
      bundle('0.1.0'),
      'contract.json is the contract of the application: shop 0.1.0.',
    ],
    [
      'has more',
      bundle('0.1.0', [list, add]),
      'shop 0.1.0 breaks no client of contract.json. Commit the new contract: npx @svc/cli contract --out contract.json',
    ],
    [
      'is of another version',
      bundle('0.1.1'),
      'shop 0.1.1 breaks no client of contract.json. Commit the new contract: npx @svc/cli contract --out contract.json',
    ],
  ])('passes when it %s', (_what, now, verdict) => {
    const report = reportOn({ before: bundle('0.1.0'), now }, 'contract.json')
    expect(report).toEqual({ changes: [], verdict, fails: false })
  })

  it('fails when clients break, and passes when its version says so', () => {
    const before = bundle('0.1.0', [list, add])
    const report = (now: Bundle) => reportOn({ before, now }, 'contract.json')
    const changes = ['orders.add: is gone']
    for (const version of ['0.1.0', '0.1.9']) {
      expect(report(bundle(version))).toMatchObject({ changes, fails: true })
    }
    expect(report(bundle('0.2.0'))).toEqual({
      changes,
      verdict:
        'Clients of 0.1.0 break, and the new version 0.2.0 says so. Commit the new contract: npx @svc/cli contract --out contract.json',
      fails: false,
    })
  })

  it('is the same contract, and no older one', () => {
    const before = bundle('0.2.0')
    expect(() => reportOn({ before, now: bundle('0.2.0', [list], 'till') }, 'a.json')).toThrow(
      'a.json is the contract "shop", but the application has "till"',
    )
    expect(() => reportOn({ before, now: bundle('0.1.9') }, 'a.json')).toThrow(
      'a.json is 0.2.0, but the application has 0.1.9, which is older.',
    )
  })
})

describe('the file of a contract', () => {
  let folder = ''
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'svc-contract-'))
  })
  afterAll(() => rm(folder, { recursive: true }))

  it('is read as it was written', async () => {
    await writeFile(join(folder, 'contract.json'), JSON.stringify(bundle('0.1.0')))
    expect(await readBundle(join(folder, 'contract.json'), 'it')).toEqual(bundle('0.1.0'))
  })

  it.each(['', '{}', '[]', '{"contract":"shop"', '{"openapi":"3.1.1","paths":{}}'])(
    'is a contract: %j is none',
    async (text) => {
      await writeFile(join(folder, 'notes.json'), text)
      await expect(readBundle(join(folder, 'notes.json'), 'notes.json')).rejects.toThrow(
        'notes.json is not a contract: write one with "npx @svc/cli contract --out notes.json".',
      )
    },
  )

  it('is there', async () => {
    await expect(readBundle(join(folder, 'none.json'), 'none.json')).rejects.toThrow(
      'none.json cannot be read: write it with "npx @svc/cli contract --out none.json"',
    )
  })
})
