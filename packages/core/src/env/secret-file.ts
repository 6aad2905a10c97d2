// More than any secret needs: a larger file must be the wrong one.
const largestBytes = 64 * 1024

/**
 * The text of a file, or why it can't be read. A problem contains neither the path nor the text.
 */
export type FileText = { text: string } | { problem: string }

/** The text of a file that holds the value of a variable. */
export function readSecretFile(path: string): FileText {
  const node = modulesOfNode()
  if (!node) return { problem: 'cannot be used: this runtime has no files' }
  // The API and the web app run in different folders.
  if (!node.path.isAbsolute(path)) return { problem: 'must be an absolute path' }
  const { readFileSync, statSync } = node.fs
  try {
    const stat = statSync(path)
    // A pipe would block the start, and be empty for the next reader.
    if (!stat.isFile()) return { problem: 'does not name a regular file' }
    if (stat.size > largestBytes) return { problem: 'names a file of more than 64 KiB' }
    return textOf(readFileSync(path))
  } catch (error) {
    return { problem: unreadable((error as { code?: string }).code) }
  }
}

/** They aren't imported: browsers, and runtimes without files, load this module too. */
function modulesOfNode() {
  try {
    const { process } = globalThis
    if (!process?.getBuiltinModule) return undefined
    return { fs: process.getBuiltinModule('node:fs'), path: process.getBuiltinModule('node:path') }
  } catch {
    // Next's Edge runtime has this function, but it throws.
    return undefined
  }
}

function textOf(bytes: Uint8Array): FileText {
  const text = decoded(bytes)?.replace(/[\r\n]+$/, '')
  if (text === undefined) return { problem: 'names a file that is not text in UTF-8' }
  return text === '' ? { problem: 'names an empty file' } : { text }
}

/** A byte order mark is left out: an editor may have put it there. */
function decoded(bytes: Uint8Array) {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    // A variable can't hold a NUL, and text in UTF-16 has one beside each letter.
    return text.includes('\0') ? undefined : text
  } catch {
    return undefined
  }
}

function unreadable(code: string | undefined) {
  if (code === 'ENOENT' || code === 'ENOTDIR') return 'names a file that does not exist'
  if (code === 'EACCES' || code === 'EPERM') return 'names a file that this process may not read'
  return 'names a file that cannot be read'
}
