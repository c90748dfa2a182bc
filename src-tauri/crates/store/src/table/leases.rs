//! Table `leases`: at most one process runs a plan; others can only watch.
//!
//! A lease is held by a process and has no timeout: it ends when it is released or its process
//! exits. The caller determines whether a process has exited; for this machine, it can use
//! [`Holder::is_alive`].

use rusqlite::{Connection, OptionalExtension, Row, params};

use super::immediate;
use crate::StoreError;
use crate::process::Holder;

/// The exclusive right to run one plan. Release it with [`Leases::release`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lease {
    /// Absolute path of the plan file.
    pub plan: String,
    /// The process that holds it.
    pub holder: Holder,
    /// The process that held the lease before and is no longer alive, if any; its last step may
    /// have been interrupted.
    pub taken_over: Option<Holder>,
}

/// The result of a request for a lease.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Acquired {
    /// The lease was granted to the caller.
    Lease(Lease),
    /// Another process that is alive holds the lease.
    HeldBy(Holder),
}

/// Access to the leases.
pub struct Leases<'s> {
    pub(crate) conn: &'s Connection,
}

impl Leases<'_> {
    /// Acquires the lease on a plan, taking it over if its holder is no longer alive.
    ///
    /// A holder that is alive keeps the lease, even if it is this process, so that two runners in
    /// one process also exclude each other. `is_alive` is called within the transaction, at most
    /// once.
    pub fn acquire(
        &self,
        plan: &str,
        holder: &Holder,
        is_alive: impl FnOnce(&Holder) -> bool,
    ) -> Result<Acquired, StoreError> {
        let tx = immediate(self.conn)?;
        let before = select(&tx, plan)?;
        let taken_over = match before {
            Some(other) if is_alive(&other) => return Ok(Acquired::HeldBy(other)),
            other => other,
        };
        tx.prepare_cached(
            "INSERT INTO leases (plan, run, pid, process_start, boot_id, host)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6)
             ON CONFLICT (plan) DO UPDATE SET run = excluded.run, pid = excluded.pid,
                 process_start = excluded.process_start, boot_id = excluded.boot_id,
                 host = excluded.host",
        )?
        .execute(params![
            plan,
            holder.run,
            holder.pid,
            holder.process_start.cast_signed(),
            holder.boot_id,
            holder.host
        ])?;
        tx.commit()?;
        Ok(Acquired::Lease(Lease {
            plan: plan.to_owned(),
            holder: holder.clone(),
            taken_over,
        }))
    }

    /// Releases a lease; `false` if another process has taken it over.
    pub fn release(&self, lease: &Lease) -> Result<bool, StoreError> {
        let holder = &lease.holder;
        let deleted = self
            .conn
            .prepare_cached(
                "DELETE FROM leases WHERE plan = ?1 AND run = ?2 AND pid = ?3
                 AND process_start = ?4 AND boot_id = ?5 AND host = ?6",
            )?
            .execute(params![
                lease.plan,
                holder.run,
                holder.pid,
                holder.process_start.cast_signed(),
                holder.boot_id,
                holder.host
            ])?;
        Ok(deleted > 0)
    }

    /// The current holder of a plan's lease, alive or not.
    pub fn holder(&self, plan: &str) -> Result<Option<Holder>, StoreError> {
        select(self.conn, plan)
    }
}

fn select(conn: &Connection, plan: &str) -> Result<Option<Holder>, StoreError> {
    Ok(conn
        .prepare_cached(
            "SELECT run, pid, process_start, boot_id, host FROM leases WHERE plan = ?1",
        )?
        .query_row([plan], holder)
        .optional()?)
}

fn holder(row: &Row<'_>) -> rusqlite::Result<Holder> {
    Ok(Holder {
        run: row.get(0)?,
        pid: row.get(1)?,
        process_start: row.get::<_, i64>(2)?.cast_unsigned(),
        boot_id: row.get(3)?,
        host: row.get(4)?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::testing::{PLAN, fresh};

    fn somebody(run: &str, pid: u32) -> Holder {
        Holder {
            run: run.to_owned(),
            pid,
            process_start: u64::MAX,
            boot_id: "boot".to_owned(),
            host: "host".to_owned(),
        }
    }

    fn lease(acquired: Acquired) -> Lease {
        match acquired {
            Acquired::Lease(lease) => lease,
            Acquired::HeldBy(other) => panic!("held by {other:?}"),
        }
    }

    #[test]
    fn a_living_holder_keeps_its_lease() {
        let (folder, store) = fresh();
        let (second, _) = crate::Store::open(folder.path(), 0).unwrap();
        let first = somebody("r1", 1);
        let held = lease(store.leases().acquire(PLAN, &first, |_| true).unwrap());
        assert_eq!(held.taken_over, None);
        for other in [somebody("r2", 2), somebody("r2", 1), first.clone()] {
            let answer = second.leases().acquire(PLAN, &other, |_| true).unwrap();
            assert_eq!(answer, Acquired::HeldBy(first.clone()));
        }
        let elsewhere = second
            .leases()
            .acquire("/w/b.md", &first, |_| true)
            .unwrap();
        lease(elsewhere);
        assert!(store.leases().release(&held).unwrap());
        lease(
            second
                .leases()
                .acquire(PLAN, &somebody("r2", 2), |_| true)
                .unwrap(),
        );
    }

    #[test]
    fn a_dead_holder_loses_its_lease_and_cannot_hand_it_back() {
        let (_folder, store) = fresh();
        let dead = somebody("r1", 1);
        let stale = lease(store.leases().acquire(PLAN, &dead, |_| true).unwrap());
        let heir = somebody("r1", 2);
        let taken = store.leases().acquire(PLAN, &heir, |who| *who != dead);
        assert_eq!(lease(taken.unwrap()).taken_over, Some(dead));
        assert!(!store.leases().release(&stale).unwrap());
        assert_eq!(store.leases().holder(PLAN).unwrap(), Some(heir));
    }

    #[test]
    fn two_who_ask_at_once_do_not_both_get_it() {
        let (folder, _store) = fresh();
        let won: usize = std::thread::scope(|scope| {
            let ask = |pid| {
                let folder = folder.path();
                move || {
                    let (store, _) = crate::Store::open(folder, 0).unwrap();
                    let answer = store.leases().acquire(PLAN, &somebody("r", pid), |_| true);
                    usize::from(matches!(answer.unwrap(), Acquired::Lease(_)))
                }
            };
            let askers: Vec<_> = (0..4).map(|pid| scope.spawn(ask(pid))).collect();
            askers.into_iter().map(|asker| asker.join().unwrap()).sum()
        });
        assert_eq!(won, 1);
    }
}
