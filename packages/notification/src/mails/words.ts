import type { Html } from '@svc/core/html'
import { type Content, inertFacts, mailContent, pickByLocale } from '../templates/templates.ts'

/** The text of a mail in one language, in the design of all our mail. */
export interface Written {
  subject: string
  /** Above the body; the subject unless set. */
  title?: string
  /** `paragraph`, `codeBox`, `actionButton` and `detailList`, one below the other. */
  body: readonly Html[]
  /** Smaller, at the end: for example why the reader gets this mail. */
  note?: string
  /** The text of a text message, if the whole would be too long for one. */
  short?: string
}

/** Return `Content` for a design of your own. */
export type Words<Data> = (data: Data) => Written | Content

/** The words of a mail in each language, by its tag. */
export type Languages<Data> = Readonly<Record<string, Words<Data>>> & { readonly en: Words<Data> }

/**
 * Writes a mail in the best language that it has words for. Its data has been made harmless before.
 */
export function writeMail<Data>(languages: Languages<Data>, data: Data, locale: string): Content {
  const { lang, words } = pickByLocale<Words<Data>>(languages, locale)
  const written = words(inertFacts(data))
  if (!('body' in written)) return written
  const { subject, title = subject, body, note, short } = written
  const content = mailContent({ lang, title, body, note })
  return { ...content, subject, ...(short !== undefined && { short }) }
}
