import { createHash, createPublicKey, verify } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { openPortableKey } from '../device-key/device-key.ts'
import {
  canonicalJson,
  ProofError,
  type ProofErrorCode,
  proofInput,
  proofSigner,
} from './client.ts'
import { isCanonical, parseStrictJson } from './strict-json.ts'

const page = readFileSync(new URL('../../../../docs/guide/mobile.md', import.meta.url), 'utf8')
const [, block = ''] = /^```json\n(\{\n.*?)^```$/ms.exec(page) ?? []
const vector = JSON.parse(block)

function isSigned(input: string, signature: string) {
  const der = Buffer.from(vector.publicKey, 'base64')
  const key = createPublicKey({ key: der, format: 'der', type: 'spki' })
  const given = { key, dsaEncoding: 'ieee-p1363' as const }
  return verify('sha256', Buffer.from(input), given, Buffer.from(signature, 'hex'))
}

describe('docs/guide/mobile.md', () => {
  it('has an example whose input and signature hold (A-332)', () => {
    const input: string = vector.input.join('\n')
    expect(isCanonical(Buffer.from(vector.body))).toBe(true)
    expect(createHash('sha256').update(vector.body).digest('hex')).toBe(vector.bodySha256)
    expect(proofInput(vector)).toBe(input)
    expect(isSigned(input, vector.proof)).toBe(true)
    expect(isSigned(`${input}\n`, vector.proof)).toBe(false)
  })

  it('has the headers that its key signs for the example (A-332)', async () => {
    const { keyId, privateKey, clientId, nonce, method, path, body } = vector
    const key = await openPortableKey({ keyId, algorithm: 'ES256', privateKey })
    const url = `https://api.example.com${path}`
    const sign = proofSigner(key, { clientId, nonce })
    const headers = await sign({ method, url, body, nowMillis: vector.issuedAtMillis })
    const { 'x-svc-proof': proof = '', ...others } = headers
    expect(others).toEqual({
      'x-svc-auth-profile': 'clientProofV1',
      'x-svc-client-id': clientId,
      'x-svc-key-id': keyId,
      'x-svc-nonce': nonce,
      'x-svc-issued-at': String(vector.issuedAtMillis),
      'x-svc-client-contract-version': '0.13.0',
    })
    expect(isSigned(vector.input.join('\n'), proof)).toBe(true)
    for (const name of Object.keys(headers)) expect(page).toContain(`\`${name}\``)
  })

  it('has values in their canonical form (A-332)', () => {
    const [, table = ''] = page.split('| Value | Canonical |')
    const rows = [
      ...table
        .split('\n\n', 1)
        .join()
        .matchAll(/^\| `(.*)` \| `(.*)` \|$/gm),
    ]
    expect(rows).toHaveLength(3)
    for (const [, value = '', canonical] of rows) {
      expect(canonicalJson(parseStrictJson(Buffer.from(value)))).toBe(canonical)
    }
  })

  it('has every refusal with its status (A-332)', () => {
    const rows = [...page.matchAll(/^\| `([A-Z_]+)` \| (\d+) \|/gm)]
    expect(rows).toHaveLength(6)
    for (const [, code, status] of rows) {
      expect(String(new ProofError(code as ProofErrorCode).status)).toBe(status)
    }
  })
})
