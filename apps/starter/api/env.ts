/** Where the web app is: its pages sign their own requests and send them straight here. */
export function webOrigins({ SVC_APP_URL = 'http://localhost:3790' } = process.env) {
  // What is no address is reported when the server starts, with all the other variables.
  return URL.canParse(SVC_APP_URL) ? [new URL(SVC_APP_URL).origin] : []
}
