import { Html } from '@svc/core/html'

/** A part of a mail: its markup, and its text for the text version. */
export class Piece extends Html {
  readonly text: string

  constructor(markup: Html, text: string) {
    super(markup.toString())
    this.text = text
  }
}

/** Markup that an application wrote itself is only in the HTML version. */
export function textOf(part: Html) {
  return part instanceof Piece ? part.text : ''
}
