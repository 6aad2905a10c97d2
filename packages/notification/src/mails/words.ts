import type { Html } from '@svc/core/html'
import { type Content, inertFacts, mailContent, pickByLocale } from '../templates/templates.ts'

/** What a mail says in one language, in the look of all our mail. */
export interface Written {
  subject: string
  /** Above the body; the subject unless set. */
  title?: string
  /** `paragraph`, `codeBox`, `actionButton` and `detailList`, below each other. */
  body: readonly Html[]
  /** Smaller, at the end: why the reader gets this mail, for example. */
  note?: string
  /** What a text message says, where the whole would be too long for one. */
  short?: string
}

/** `Content` is for a look of the application's own. */
export type Words<Data> = (data: Data) => Written | Content

/** The words of a mail in each language, by its tag. */
export type Languages<Data> = Readonly<Record<string, Words<Data>>> & { readonly en: Words<Data> }

/** Writes a mail in the best language that it has words for. Its data is inert by then. */
export function writeMail<Data>(languages: Languages<Data>, data: Data, locale: string): Content {
  const { lang, words } = pickByLocale<Words<Data>>(languages, locale)
  const written = words(inertFacts(data))
  if (!('body' in written)) return written
  const { subject, title = subject, body, note, short } = written
  const content = mailContent({ lang, title, body, note })
  return { ...content, subject, ...(short !== undefined && { short }) }
}
