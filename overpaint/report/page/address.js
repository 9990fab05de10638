// What is shown is kept in the address, so that a reload or a link leads back to it.
function readAddress() {
  const found = new URLSearchParams(location.hash.startsWith("#~") ? location.hash.slice(2) : "");
  return Object.fromEntries(found);
}

function writeAddress(changes) {
  const state = { ...readAddress(), ...changes };
  const kept = Object.entries(state).filter(([, value]) => value !== "" && value !== null);
  const hash = kept.length ? `#~${new URLSearchParams(kept)}` : "#gallery";
  if (location.hash !== hash) history.replaceState(null, "", hash);
}
