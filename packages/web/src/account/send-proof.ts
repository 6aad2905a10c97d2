export interface SendProof {
  /** The proof for the application's `beforeSend`, such as the answer of a captcha. Called at each send. */
  proof?: (() => string | Promise<string>) | undefined
}

export async function sendProof(proof: SendProof['proof']) {
  return proof ? { proof: await proof() } : {}
}
