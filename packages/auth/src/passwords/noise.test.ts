import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'

/** What `node --watch`, or any loader, may post beside us on the channel of a thread, in both directions. */
const noise = `
  import { isMainThread, parentPort, Worker } from 'node:worker_threads'
  const messages = [
    null, true, 'text', 1, {}, [], { 'watch:require': ['file:///a.js'] }, { id: 1, answer: true },
    { svc: 'hash', answer: true }, { svc: 'hash', id: '1', answer: true }, { svc: 'hash', id: 1 },
    { svc: 'hash', id: 1, job: null }, { svc: 'hash', id: 1, job: { kind: 'other' } },
    { svc: 'signatures', areRight: [true] }, { svc: 'signatures', id: 1 }, { svc: 'signatures', id: 1, checks: true },
    { svc: 'signatures', id: 1, checks: [null] }, { svc: 'signatures', id: 1, checks: [{ algorithm: 'ES256' }] },
  ]
  const owner = isMainThread ? Worker.prototype : Object.getPrototypeOf(parentPort)
  const post = owner.postMessage
  owner.postMessage = function (...given) {
    for (const each of messages) post.call(this, each)
    return post.apply(this, given)
  }
  if (!isMainThread) for (const each of messages) post.call(parentPort, each)
`

const fileOf = (path: string) => JSON.stringify(new URL(path, import.meta.url))

/** Answers what a program prints that runs beside the noise. */
async function besideNoise(program: string) {
  const flags = ['--conditions=svc-source', '--input-type=module']
  const preload = `--import=data:text/javascript,${encodeURIComponent(noise)}`
  const { stdout, stderr } = await promisify(execFile)(
    process.execPath,
    [...flags, '--eval', program],
    { env: { ...process.env, NODE_OPTIONS: preload }, timeout: 20_000 },
  )
  return { printed: JSON.parse(stdout), stderr }
}

const script = (target: object) => `
  const { createHashQueue } = await import(${fileOf('./hash-queue.ts')})
  const queue = createHashQueue({ target: ${JSON.stringify(target)}, workers: 2, log: console })
  const of = (text) => ({ sent: text, normalised: text })
  const stored = await queue.run({ kind: 'hash', forms: of('right') })
  const verify = (text) => queue.run({ kind: 'verify', forms: of(text), stored })
  const answers = await Promise.all(['right', 'wrong', 'right', '', 'wrong', 'right'].map(verify))
  console.log(JSON.stringify({ stored, answers }))
`

const signatures = `
  import { generateKeyPairSync, sign } from 'node:crypto'
  const { createSignatureChecks } = await import(${fileOf('../crypto/signature-checks.ts')})
  const { createPublicKeyCache } = await import(${fileOf('../crypto/verify-signature.ts')})
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const stored = publicKey.export({ format: 'der', type: 'spki' }).toString('base64')
  const signature = sign('sha256', Buffer.from('right'), { key: privateKey, dsaEncoding: 'ieee-p1363' })
  let here = 0
  const keys = createPublicKeyCache()
  const publicKeys = (text) => (here++, keys(text))
  const checks = createSignatureChecks({ publicKeys, log: console, crowd: 2, hasThread: true })
  const isRight = (signed) => checks.isRight({ algorithm: 'ES256', signed, signature }, stored)
  do here = 0, await Promise.all(['right', 'right'].map(isRight))
  while (here > 0)
  const answers = await Promise.all(['right', 'wrong', 'right', '', 'wrong', 'right'].map(isRight))
  console.log(JSON.stringify({ answers, here }))
  await checks.close()
`

describe('messages of others on the channel of a thread', () => {
  it('are no right password, and are stored nowhere', async () => {
    const { printed, stderr } = await besideNoise(script({ scheme: 'bcrypt', rounds: 6 }))
    expect(printed.stored).toMatch(/^svc1\$\$2b\$06\$/)
    expect(printed.answers).toEqual([true, false, true, false, false, true])
    expect(stderr).toBe('')
  })

  it('make no signature right, and keep none from the thread', async () => {
    const { printed, stderr } = await besideNoise(signatures)
    expect(printed).toEqual({ answers: [true, false, true, false, false, true], here: 0 })
    expect(stderr).toBe('')
  })
})
