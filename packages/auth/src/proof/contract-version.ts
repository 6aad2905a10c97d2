/** The version of the contract that clients on devices are built against. `svc contract check` says when it has to step. */
export const mobileContractVersion = '0.13.0'
