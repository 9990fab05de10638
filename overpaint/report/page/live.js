// A served page asks now and then whether the run has gone on, and offers to show it.
const ASK_EVERY = 2000;

function startLive() {
  if (deck.version === undefined) return;
  const news = byId("news");
  const ask = async () => {
    if (document.hidden) return;
    const answer = await fetch("version", { cache: "no-store" }).catch(() => null);
    // Another server at its port lets nobody in; whatever else goes wrong may pass.
    if (!answer || [401, 403].includes(answer.status)) return only(news, "The server has ended.");
    const found = answer.ok && (await answer.json().catch(() => null));
    if (found) tell(news, found);
  };
  setInterval(ask, ASK_EVERY);
  document.addEventListener("visibilitychange", ask);
}

// Where new results were offered, they are again when this is over.
function only(news, text) {
  delete news.dataset.version;
  news.replaceChildren(text);
}

function tell(news, found) {
  if (found.trouble) return only(news, found.trouble);
  // Of a large run they are counted for a while first.
  const done = "edits" in found ? `${counted(found.edits, "edit")}, ${counted(found.scores, "score")}` : "";
  // A page of samples is always read anew; the report of a large run is older for a while.
  const version = paging ? found.now : found.version;
  const age = found.age && !paging ? `; the numbers here are ${found.age} s old and made anew now and then` : "";
  if (version === deck.version) {
    if (news.textContent !== done + age) news.replaceChildren(done + age);
  } else if (news.dataset.version !== version) {
    news.dataset.version = version;
    news.replaceChildren(done, make("button", { type: "button", onclick: () => location.reload() }, "Show new results"));
  }
}
