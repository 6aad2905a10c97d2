import type { Mutation } from './mutation.ts'

const folder = 'message-signatures'
const refusals = { folder, test: 'refusals.test.ts' } as const
const malformed = { folder, test: 'malformed.test.ts' } as const
const bases = { folder, test: 'rfc9421.test.ts' } as const
const turnedOn = { folder, test: 'turned-on.test.ts' } as const
const signer = 'authenticate/find-signer.ts'
const check = 'authenticate/check-message.ts'
const entry = 'message-signatures/message-signatures.ts'
const changed = { folder, test: 'changed-on-the-way.test.ts' } as const

/** Message signatures (RFC 9421): of which keys, over what, and how often. */
export const ofMessageSignatures: Mutation[] = [
  {
    name: 'a device signs messages',
    file: signer,
    find: "isJwt(signed) || kind === 'machine'",
    replace: "isJwt(signed) || kind !== 'agent'",
    ...refusals,
    title: 'are one for keys that are unknown, revoked',
  },
  {
    name: 'a message signature is read where it is turned off',
    file: 'authenticate/authenticate.ts',
    find: 'takesMessageSignatures ? findMessageSignature(raw) : undefined',
    replace: 'takesMessageSignatures ? findMessageSignature(raw) : findMessageSignature(raw)',
    ...turnedOn,
    title: 'reads no such header',
  },
  {
    name: 'a token beside a message signature is not looked at',
    file: 'authenticate/authenticate.ts',
    find: ' || (message && authorization)',
    replace: '',
    ...refusals,
    title: 'are one if it comes with a token',
  },
  {
    name: 'a proof of a device wins over a message signature',
    file: 'authenticate/authenticate.ts',
    find: "  if (messageOf(raw, auth) !== undefined) throw new ProofError('PROFILE_REJECTED')\n",
    replace: '',
    ...refusals,
    title: 'are one if it comes with a token',
  },
  {
    name: 'the first of two message signatures is the one',
    file: entry,
    find: '!isLabelled || more.length > 0 ||',
    replace: '!isLabelled || more.length > 99 ||',
    ...malformed,
    title: 'are refused',
  },
  {
    name: 'a message signature needs no label of its own',
    file: entry,
    find: 'signatures?.size === inputs.size && ',
    replace: 'signatures && ',
    ...malformed,
    title: 'are refused',
  },
  {
    name: 'a parameter that is unknown is passed over',
    file: entry,
    find: '!isKnown || ',
    replace: '',
    ...malformed,
    title: 'are refused',
  },
  {
    name: 'alg may be another algorithm than that of the key',
    file: entry,
    find: "  if (given.has('alg') && given.get('alg') !== registered[algorithm]) return null\n",
    replace: '',
    ...malformed,
    title: 'are refused',
  },
  {
    name: 'a structured field has two spellings',
    file: 'message-signatures/fields.ts',
    find: 'isCanonical(text, members) ? members : null',
    replace: 'isCanonical(text, members) ? members : members',
    ...malformed,
    title: 'are refused',
  },
  {
    name: 'a target in a signature has lines of its own',
    file: 'message-signatures/signature-base.ts',
    find: 'value !== undefined && oneLine.test(value)',
    replace: 'value !== undefined',
    ...bases,
    title: 'is not made of what is not plain text',
  },
  {
    name: 'a component is covered twice',
    file: 'message-signatures/signature-base.ts',
    find: 'new Set(names).size === items.length',
    replace: 'names.length === items.length',
    ...bases,
    title: 'is not made with',
  },
  {
    name: 'a message signature need not cover the target',
    file: check,
    find: 'return isBound && isWhole',
    replace: 'return isWhole',
    ...refusals,
    title: 'name what is wrong with one',
  },
  {
    name: 'a message signature need not cover the body',
    file: check,
    find: 'return isBound && isWhole',
    replace: 'return isBound',
    ...refusals,
    title: 'name what is wrong with a body',
  },
  {
    name: 'an empty body in chunks is none',
    file: check,
    find: "headers['transfer-encoding'] !== undefined ||",
    replace: '',
    ...refusals,
    title: 'name what is wrong with an empty body that is sent in chunks',
  },
  {
    name: 'the trail keeps a cookie that was signed',
    file: check,
    find: ' && [...covers].every((name) => allowed.has(name))',
    replace: '',
    ...refusals,
    title: 'name what is wrong with one',
  },
  {
    name: 'the digest of a body is not compared',
    file: check,
    find: "if (covers.has('content-digest') && !(await isDigestOfBody(raw)))",
    replace: "if (!covers.has('content-digest') && !(await isDigestOfBody(raw)) && created === '')",
    ...refusals,
    title: 'name what is wrong with a body',
  },
  {
    name: 'a message signature needs no nonce',
    file: check,
    find: "  if (!isTokenId(nonce)) throw new RequestBindingError({ claim: 'nonce' })\n  return { jti: nonce, ...life }",
    replace: '  return { jti: isTokenId(nonce) ? nonce : null, ...life }',
    ...refusals,
    title: 'name what is wrong with one',
  },
  {
    name: 'a message signature has no end of its own',
    file: check,
    find: '[created, expires ?? Number(created) + longestSeconds]',
    replace: '[created, Number(created) + longestSeconds]',
    ...refusals,
    title: 'name what is wrong with one|tell the owner of an ended key',
  },
  {
    name: 'a signed header has more around it than was signed',
    file: 'message-signatures/signature-base.ts',
    find: 'lines?.every((line) => oneLine.test(line)) === true',
    replace: 'lines !== undefined',
    ...changed,
    title: 'is refused if what a handler reads of a signed header',
  },
  {
    name: 'a signed header has a line that no handler reads',
    file: entry,
    find: "lines?.join(', ') === headers[name]",
    replace: 'lines !== undefined || name in headers',
    ...changed,
    title: 'is refused if what a handler reads of a signed header',
  },
]
