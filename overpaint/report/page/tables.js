// Tables: hints that follow the pointer, sorting of the leaderboard, the measure of breakdowns.
function startHints() {
  const tip = byId("tip");
  const hide = () => (tip.hidden = true);
  const show = (target, x, y) => {
    tip.textContent = target.dataset.tip;
    tip.hidden = false;
    const box = tip.getBoundingClientRect();
    tip.style.left = `${Math.max(8, Math.min(x + 14, innerWidth - box.width - 8))}px`;
    tip.style.top = `${y + 18 + box.height > innerHeight ? y - box.height - 12 : y + 18}px`;
  };
  document.addEventListener("mousemove", (event) => {
    const target = event.target.closest?.("[data-tip]");
    if (target) show(target, event.clientX, event.clientY);
    else hide();
  });
  document.addEventListener("focusin", (event) => {
    const target = event.target.closest?.("[data-tip]");
    if (!target || !event.target.matches(":focus-visible")) return hide();
    const box = target.getBoundingClientRect();
    show(target, box.left, box.bottom - 10);
  });
  addEventListener("scroll", hide, { passive: true, capture: true });
  addEventListener("keydown", (event) => event.key === "Escape" && hide());
}

function startSorting() {
  const board = document.querySelector(".board");
  if (!board) return;
  board.tHead.addEventListener("click", (event) => {
    const head = event.target.closest("button")?.closest("th");
    if (head) sortBoard(board, head);
  });
}

// Best first, what is missing taken as worst; a second press turns the order round. Rows without
// a score stay last.
function sortBoard(board, head) {
  const best = head.dataset.up ? "descending" : "ascending";
  const turned = head.dataset.up ? "ascending" : "descending";
  const order = head.getAttribute("aria-sort") === best ? turned : best;
  for (const other of board.tHead.querySelectorAll("[aria-sort]")) other.removeAttribute("aria-sort");
  head.setAttribute("aria-sort", order);
  const sign = order === "ascending" ? 1 : -1;
  const key = (row) => {
    const value = row.cells[head.cellIndex]?.dataset.order;
    return value === undefined ? Infinity : sign * Number(value);
  };
  for (const body of board.tBodies) {
    const rows = [...body.rows].filter((row) => !row.classList.contains("between"));
    rows.sort((a, b) => key(a) - key(b));
    body.append(...rows);
  }
}

function startBreakdowns() {
  const select = byId("breakdown-measure");
  select?.addEventListener("change", () => {
    for (const part of document.querySelectorAll("[data-measure]")) {
      part.hidden = part.dataset.measure !== select.value;
    }
  });
}
