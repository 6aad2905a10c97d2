import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Message } from '../delivery/delivery.ts'

export interface Kept {
  /** The name of its file, without the extension. */
  name: string
  message: Message
}

// The page looks every few seconds, and an outbox is never emptied.
const shown = 100

/** The newest messages of these folders, newest first. */
export async function newestMessages(directories: readonly string[]): Promise<Kept[]> {
  const files = await filesOf(directories)
  const newest = files.toSorted((a, b) => (a.name < b.name ? 1 : -1)).slice(0, shown)
  const read = await Promise.all(newest.map(readKept))
  return read.filter((kept) => kept !== null)
}

/**
 * One message. Its name is compared with the files and never becomes a path, so it can't lead
 * anywhere else.
 */
export async function findMessage(directories: readonly string[], name: string) {
  const file = (await filesOf(directories)).find((each) => each.name === name)
  return file ? readKept(file) : null
}

interface File {
  name: string
  path: string
}

async function filesOf(directories: readonly string[]): Promise<File[]> {
  const lists = await Promise.all(directories.map(filesIn))
  return lists.flat()
}

async function filesIn(directory: string): Promise<File[]> {
  const names = await readdir(directory).catch(() => [])
  return names
    .filter((name) => /^[^.].*\.json$/.test(name))
    .map((name) => ({ name: name.slice(0, -'.json'.length), path: join(directory, name) }))
}

/** Null for a file that is gone by now, or that isn't one of ours. */
async function readKept({ name, path }: File): Promise<Kept | null> {
  const text = await readFile(path, 'utf8').catch(() => 'null')
  const message = parsed(text)
  return isMessage(message) ? { name, message } : null
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

function isMessage(value: unknown): value is Message {
  const { channel, to, text, template, sentAt } = (value ?? {}) as Record<string, unknown>
  return [channel, to, text, template, sentAt].every((member) => typeof member === 'string')
}
